import { Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import { useText } from "../../i18n/index.ts";
import type { FieldProps } from "../field.tsx";
import { useField, useForm } from "../form.ts";
import { inputProps } from "./frame.tsx";

const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : JSON.stringify(value, null, 2);

interface Parsed {
  readonly value: unknown;
  /** The position of the first JSON error. */
  readonly at?: number;
}

const parse = (text: string): Parsed => {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const [, at] = /position (\d+)/.exec(String(error)) ?? [];
    return { value: undefined, at: at === undefined ? text.length : Number(at) };
  }
};

export const JsonField = (props: FieldProps) => {
  const { path } = props;
  const t = useText();
  const form = useForm();
  const { value, fault, set } = useField(path);
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown }>();
  const text = typed && typed.value === value ? typed.text : textOf(value);
  const { at } = parse(text);
  const isBroken = at !== undefined;
  const key = path.join(".");
  // An entry that is removed or closed must not keep the form from being saved.
  useEffect(() => {
    form.block(path, isBroken);
    return () => form.block(path, false);
  }, [form, key, isBroken]);
  const before = text.slice(0, at).split("\n");
  const mark =
    at === undefined ? undefined : t("edit.json", { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
  return (
    <Textarea
      {...inputProps(props, mark ?? fault)}
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.85rem" } }}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        const parsed = parse(next);
        const kept = parsed.at === undefined ? parsed.value : value;
        setTyped({ text: next, value: kept });
        set(kept);
      }}
    />
  );
};
