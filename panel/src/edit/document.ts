/** Loads a document into a form, and provides the actions on it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Fault } from "galley-cms/client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { RequestError, send } from "../api/client.ts";
import { type ContentType, type Model, useModel } from "../api/description.ts";
import { type Document, documentKey, type Envelope, pathOf, readDocument, statusOf } from "../api/documents.ts";
import { saidByServer, type Translate } from "../i18n/index.ts";
import { bodyOf, emptyValues, valuesIn } from "./convert.ts";
import { createForm, type Form } from "./form.ts";

export interface Place {
  readonly type: ContentType;
  /** Undefined for a document that is not stored yet; empty for a single type. */
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
}

/** Thrown if somebody else has saved or deleted the document since it was read. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** The message of a fault. Type names are for programmers, so an empty field gets a message that it is required. */
const textOf = ({ path, message, value }: Fault, t: Translate): string => {
  const name = path.join(".").replaceAll(/\.(\d+)/g, "[$1]");
  const isMissing =
    (value === null || value === undefined) && /must be a `|required|cannot be null|must be defined/.test(message);
  if (isMissing) return t("fault.required");
  const short = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  const said = saidByServer(short);
  return said.charAt(0).toUpperCase() + said.slice(1);
};

/** The faults of a refused body, by field path. */
export const faultsOf = (error: unknown, t: Translate): ReadonlyMap<string, string> => {
  if (!(error instanceof RequestError)) return new Map();
  const { errors = [], key, path } = error.details;
  if (errors.length > 0) return new Map(errors.map((fault) => [fault.path.join("."), textOf(fault, t)]));
  const place = typeof path === "string" ? path : key;
  return place === undefined ? new Map() : new Map([[place, saidByServer(error.message)]]);
};

const versionsOf = async (model: Model, { type, documentId = "", locale }: Place) => {
  const isDrafted = type.draftAndPublish;
  const [draft, published] = await Promise.all([
    readDocument(model, type, { documentId, locale }),
    isDrafted ? readDocument(model, type, { documentId, locale }, "published") : null,
  ]);
  return { draft, published };
};

export type Versions = Awaited<ReturnType<typeof versionsOf>>;

/** The versions of a document in one language. */
export const useVersions = (place: Place) => {
  const model = useModel();
  const { type, documentId, locale } = place;
  return useQuery({
    queryKey: documentKey(type, documentId ?? "", locale),
    queryFn: () => versionsOf(model, place),
    enabled: documentId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
};

/** A form with the values of the draft, or the initial values of a new document. */
export const useLoadedForm = (place: Place, draft: Document | undefined): Form => {
  const model = useModel();
  const { attributes } = place.type;
  const [form] = useState(() => createForm(emptyValues(model, attributes)));
  useEffect(() => {
    const next = draft ? valuesIn(model, attributes, draft, form.values) : emptyValues(model, attributes);
    form.load(next, draft?.updatedAt);
  }, [form, model, attributes, draft]);
  return form;
};

export interface Writing {
  /** Saves the changes, and optionally publishes. Returns the documentId. */
  save(form: Form, publishes?: boolean): Promise<string>;
  reload(): Promise<unknown>;
}

export const useWriting = (place: Place): Writing => {
  const model = useModel();
  const queries = useQueryClient();
  const { type, documentId, locale } = place;
  const reload = useCallback(
    () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["document", type.uid] }),
        queries.invalidateQueries({ queryKey: ["list", type.uid] }),
        queries.invalidateQueries({ queryKey: ["choices", type.uid] }),
      ]),
    [queries, type],
  );
  return useMemo(
    () => ({
      reload,
      async save(form, publishes = false) {
        const isNew = documentId === undefined;
        const { base, values: sent } = form;
        const data = bodyOf(model, type.attributes, sent, base === undefined ? undefined : form.changed());
        const query = {
          ...(type.draftAndPublish && !publishes ? { status: "draft" } : {}),
          ...(type.localized && locale !== undefined ? { locale } : {}),
          fields: ["documentId"],
        };
        const headers: Record<string, string> = base === undefined ? {} : { "If-Match": `"${base}"` };
        try {
          const method = isNew ? "POST" : "PUT";
          const answer = await send<Envelope>(method, pathOf(type, documentId), {
            query,
            body: { data },
            options: { headers },
          });
          form.accept(sent);
          return answer.data.documentId;
        } catch (error) {
          // Of a document that was deleted, nothing is left that could conflict.
          const isGone = error instanceof RequestError && error.status === 404 && base !== undefined;
          if (isGone || (error instanceof RequestError && error.status === 412)) throw new Conflict();
          throw error;
        }
      },
    }),
    [model, type, documentId, locale, reload],
  );
};

/** Whether the caller may change a document. */
export const mayWrite = (model: Model, { type, documentId, locale }: Place): boolean => {
  if (type.kind === "singleType") return model.canIn(`${type.uid}.update`, locale);
  const action = documentId === undefined ? "create" : "update";
  const readsDrafts =
    !type.draftAndPublish || statusOf(model, type, locale).status !== undefined || documentId === undefined;
  return readsDrafts && model.canIn(`${type.uid}.${action}`, locale);
};
