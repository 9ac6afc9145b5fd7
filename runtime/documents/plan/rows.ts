/**
 * Plans new documents that consist of scalars only, as lists of values by column. A plan for each document, as
 * `write.ts` makes it, would take several times the memory and time of what is stored.
 */
import { createId } from "../../base/create-id.ts";
import { HttpError } from "../../base/errors.ts";
import { remembering } from "../../base/remembering.ts";
import type { Value } from "../../database/database.ts";
import type { Bound } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Data } from "../../schema/validation/check.ts";
import { attributesOf } from "../attributes.ts";
import { checkVersion, readBody } from "../body/check.ts";
import { isPlainKey } from "../body/keys.ts";
import { type Source, Targets } from "../body/references.ts";
import type { WriteServices } from "../context.ts";
import { insertRows } from "../sql/insert-rows.ts";
import { storedColumns } from "../sql/version.ts";
import { buildValues } from "./draft.ts";
import { entityOf } from "./entity.ts";
import type { EntryContext } from "./entries.ts";
import { now } from "./open.ts";
import { uniquesOf } from "./unique-columns.ts";

export interface RowsRequest {
  readonly type: ContentType;
  readonly locale: string | null;
  readonly status: Status;
}

/** New documents, ready to be stored. */
export interface Rows {
  readonly documentIds: readonly string[];
  readonly statements: readonly Bound[];
}

/** Most documents that one statement stores. More would not be faster, and would block other requests in this process. */
const AT_ONCE = 1000;

/** The attributes whose values need nothing but their column. */
const plainNames = remembering(
  (type: ContentType): ReadonlySet<string> =>
    new Set(
      attributesOf(type).flatMap(([name, each]) => (isPlainKey(type, name) && each.type !== "password" ? [name] : [])),
    ),
);

/** Whether a body names nothing but such attributes, not even by what it inherits. */
const isPlain = (names: ReadonlySet<string>, body: Data): boolean => {
  for (const name in body) if (!names.has(name)) return false;
  return !("id" in body || "documentId" in body);
};

/** Whether a value occurs twice that must be unique. */
const repeats = (type: ContentType, lists: Lists): boolean =>
  uniquesOf(type).some(([name]) => {
    const values = (lists[name] ?? []).filter((each) => each !== null && each !== "");
    return new Set(values).size < values.length;
  });

type Lists = Readonly<Record<string, Value[]>>;

const NO_LINKS: ReadonlyMap<string, readonly string[]> = new Map();

/** Appends the values of a new document to the lists; false, if it has a fault or is more than its scalars. */
const adding = (services: WriteServices, { type, locale, status }: RowsRequest, lists: Lists) => {
  const source: Source = { services, type, locale };
  const schema = services.registry.validator(type.uid);
  const building: EntryContext = {
    services,
    targets: new Targets(source, () => true),
    nextId: () => {
      throw new Error("a document without components needs no ids");
    },
  };
  const columns = storedColumns(type).map(({ key }) => ({ key, list: lists[key] ?? [] }));
  const isPublished = type.draftAndPublish && status === "published";
  return (data: Data): boolean => {
    const { item, errors, hasPassword } = readBody(source, data, type.draftAndPublish ? "newDraft" : "create");
    if (errors.length > 0 || hasPassword || item.links.size + item.components.size > 0) return false;
    const values = buildValues(building, { source, schema, item, stored: undefined });
    if (isPublished && checkVersion(source, entityOf(type, { values }, NO_LINKS)).length > 0) return false;
    for (const { key, list } of columns) list.push(values[key] ?? null);
    return true;
  };
};

/**
 * Plans new documents; undefined, if one has a fault or is more than its scalars. Without links they reach no other
 * document. What is refused here has to be planned one by one, which also says what the faults are.
 */
export const planRows = (services: WriteServices, request: RowsRequest, bodies: readonly Data[]): Rows | undefined => {
  const { type, locale, status } = request;
  const names = plainNames(type);
  if (!bodies.every((body) => isPlain(names, body))) return undefined;
  const lists: Lists = Object.fromEntries(storedColumns(type).map(({ key }) => [key, []]));
  const add = adding(services, request, lists);
  try {
    if (!bodies.every(add)) return undefined;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
  if (status === "published" && repeats(type, lists)) return undefined;
  const documentIds = bodies.map(() => createId());
  const time = now();
  const statements: Bound[] = [];
  for (let start = 0; start < bodies.length; start += AT_ONCE) {
    const part = (list: readonly Value[]) => list.slice(start, start + AT_ONCE);
    statements.push(
      insertRows(type, {
        status,
        documentIds: documentIds.slice(start, start + AT_ONCE),
        locale,
        time,
        lists: Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, part(list)])),
      }),
    );
  }
  return { documentIds, statements };
};
