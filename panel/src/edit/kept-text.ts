/** Keeps unsaved input in the browser's storage. */
import { useEffect, useState } from "react";
import { type Model, useModel } from "../api/description.ts";
import { isRecord, withoutPasswords } from "./convert.ts";
import type { Place } from "./document.ts";
import type { Form, Values } from "./form.ts";

interface Kept {
  readonly at: string;
  readonly values: Values;
}

const keyOf = ({ type, documentId = "new", locale = "" }: Place): string =>
  `panel:text:${type.uid}:${documentId}:${locale}`;

const read = (key: string): Kept | undefined => {
  const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
  return isRecord(value) && isRecord(value["values"])
    ? { at: String(value["at"]), values: value["values"] }
    : undefined;
};

/** Stores unsaved input for a document, or removes what was stored if there is none. */
export const keepText = (model: Model, place: Place, input: Values): void => {
  const key = keyOf(place);
  const values = withoutPasswords(model, place.type.attributes, input);
  if (Object.keys(values).length === 0) return localStorage.removeItem(key);
  try {
    localStorage.setItem(key, JSON.stringify({ at: new Date().toISOString(), values }));
  } catch {
    // The storage is full: go without a copy.
  }
};

/** Milliseconds after the last keystroke before the copy is written. */
const PAUSE = 400;

/** Returns unsaved input from an earlier visit, and stores the input from now on. */
export const useKeptText = (place: Place, form: Form, isReady: boolean) => {
  const model = useModel();
  const key = keyOf(place);
  const [kept, setKept] = useState(() => read(key));
  useEffect(() => {
    if (!isReady) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = form.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const typed = form.unsaved();
        // What was typed before stays until the user has decided about it.
        if (!kept || Object.keys(typed).length > 0) keepText(model, place, { ...kept?.values, ...typed });
      }, PAUSE);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [model, form, place, isReady, kept]);
  const forget = (): void => {
    localStorage.removeItem(key);
    setKept(undefined);
  };
  return {
    kept,
    forget,
    restore() {
      if (kept) form.fill(kept.values);
      setKept(undefined);
    },
  };
};
