/** Looks up the documents and files that a body refers to. */
import { getTableName, type SQL, sql } from "drizzle-orm";
import { ValidationError } from "../../base/errors.ts";
import {
  type Bound,
  numberOf,
  requiredText,
  type Row,
  send,
  type Session,
  statementOf,
} from "../../database/database.ts";
import type { RowLimit } from "../../query/index.ts";
import type { Attribute, ContentType, Field, Uid } from "../../schema/content-type.ts";
import { files } from "../../schema/tables/files.ts";
import { isInt4 } from "../../schema/validation/numbers.ts";
import type { Reference } from "../../schema/validation/relation-value.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { anyOf } from "../sql/version.ts";
import type { StoredFile } from "./allowed-types.ts";
import type { ParsedItem } from "./parse.ts";

export const FILES: Uid = "plugin::upload.file";

/** The document that contains the references; it determines the locale in which targets are looked up. */
export interface Source {
  readonly services: WriteServices;
  readonly type: ContentType;
  readonly locale: string | null;
  /** Whether targets may be absent from that locale: links of a copy show nothing there, like those of the original. */
  readonly anyLocale?: boolean | undefined;
  /** The rows of a type that the writer may read; undefined if it may read all. Other rows count as missing. */
  readonly readable?: ((uid: Uid) => RowLimit | undefined) | undefined;
}

interface Use {
  readonly target: Uid;
  readonly reference: Reference;
  /** Whether the target may be missing: one that is to be disconnected by its row id. */
  readonly optional: boolean;
}

/** The target type of a reference; for a relation to any type, the reference names it. */
const targetOf = (
  { registry }: WriteServices,
  attribute: Attribute | Field | undefined,
  reference: Reference,
): Uid | undefined => {
  if (attribute?.type === "media") return FILES;
  if (attribute?.type === "relation" && "target" in attribute && attribute.target) return attribute.target;
  const { type } = reference;
  return type !== undefined && isKnown(registry, type) ? type : undefined;
};

const isKnown = (registry: WriteServices["registry"], uid: string): uid is Uid => registry.has(uid);

/** The references in an item and its entries. */
const usesIn = (services: WriteServices, owner: Attributed, item: ParsedItem): readonly Use[] => {
  const uses: Use[] = [];
  for (const [name, { set = [], connect, disconnect }] of item.links) {
    const attribute = owner.attributes[name];
    const add = (reference: Reference, optional: boolean): void => {
      const target = targetOf(services, attribute, reference);
      if (target !== undefined && !reference.invalid) uses.push({ target, reference, optional });
    };
    for (const reference of set) add(reference, false);
    for (const reference of connect) add(reference, false);
    for (const reference of disconnect) add(reference, true);
    for (const { position } of connect) if (position && "neighbour" in position) add(position.neighbour, true);
  }
  for (const entries of item.components.values()) {
    for (const entry of entries) {
      for (const use of usesIn(services, services.registry.component(entry.component), entry)) uses.push(use);
    }
  }
  return uses;
};

/** The keys in references, without ids that no row can have. */
export const keysOf = (
  references: readonly Reference[],
): { readonly documentIds: readonly string[]; readonly ids: readonly number[] } => {
  const valid = references.filter(({ invalid }) => !invalid);
  const documentIds = valid.flatMap(({ documentId }) => documentId?.replaceAll("\0", "") ?? []);
  const ids = valid.flatMap(({ documentId, id }) => (documentId === undefined && isInt4(id) ? [id] : []));
  return { documentIds: [...new Set(documentIds)], ids: [...new Set(ids)] };
};

/** References to documents of one type by one kind of key. */
interface Part {
  readonly target: Uid;
  readonly by: "documentId" | "id";
  readonly keys: readonly string[] | readonly number[];
  /** Whether only documents with a published version are found. */
  readonly published: boolean;
  /** Undefined where all rows are found. */
  readonly limit?: RowLimit | undefined;
}

/**
 * Groups references by type and kind of key. Row ids can be guessed by counting, so they must not reveal which drafts
 * exist: for writers who may not read drafts, drafts count as missing.
 */
const partsOf = (
  { readable }: Source,
  wanted: ReadonlyMap<Uid, readonly Reference[]>,
  seesDrafts: SeesDrafts,
): readonly Part[] =>
  [...wanted]
    .flatMap(([target, references]): Part[] => {
      const { documentIds, ids } = keysOf(references);
      return [
        { target, by: "documentId", keys: documentIds, published: false, limit: readable?.(target) },
        { target, by: "id", keys: ids, published: target !== FILES && !seesDrafts(target), limit: readable?.(target) },
      ];
    })
    .filter(({ keys }) => keys.length > 0);

const selectPart = (services: WriteServices, { target, by, published, limit }: Part, index: number): SQL => {
  const table = target === FILES ? files : services.registry.contentType(target).table;
  const from = limit ? sql`(${limit.rows}) as ${sql.identifier(getTableName(table))}` : sql`${table}`;
  const locale = "locale" in table && table.locale ? sql`${table.locale}` : sql`null::text`;
  const named =
    by === "id"
      ? sql`${table.id} = ${anyOf(`keys ${index}`, "int")}`
      : sql`${table.documentId} = ${anyOf(`keys ${index}`, "text")}`;
  const where = published ? sql`${named} and ${table.publishedAt} is not null` : named;
  const mime = target === FILES ? sql`${files.mime}` : sql`null::text`;
  return sql`select ${sql.raw(String(index))}, ${table.id}, ${table.documentId}, ${locale}, ${mime} from ${from} where ${where}`;
};

/** One statement for all lookups. Each row begins with the number of the part that it belongs to. */
const lookup = ({ services, type }: Source, parts: readonly Part[]): Bound => ({
  statement: statementOf(
    type.table,
    `lookup ${parts.map(({ target, by, published, limit }) => `${target} by ${by}${published ? ", published" : ""}${limit ? limit.key : ""}`).join(", ")}`,
    () =>
      sql.join(
        parts.map((part, index) => selectPart(services, part, index)),
        sql` union all `,
      ),
  ),
  values: Object.assign(
    Object.fromEntries(parts.map(({ keys }, index) => [`keys ${index}`, keys])),
    ...parts.map(({ limit }) => limit?.values),
  ),
});

interface Found {
  /** The locales that the document has; empty for types without locales. */
  readonly locales: Map<string, Set<string>>;
  readonly documentIds: Map<number, string>;
  readonly ids: Map<string, number>;
  /** The media types of files. */
  readonly mimes: Map<number, string>;
}

/** Whether the writer may read drafts of a type. */
export type SeesDrafts = (uid: Uid) => boolean;

/** The document or file that a reference leads to. Links with equal keys are the same link. */
export interface Target {
  /** A file's id, a documentId, or type and documentId for a relation to any type. */
  readonly key: string;
  /** The row id, as used in messages. */
  readonly id: number | string;
}

/** The documents and files that the references of a body lead to. */
export class Targets {
  readonly #source: Source;
  readonly #seesDrafts: SeesDrafts;
  readonly #found: Map<Uid, Found>;
  /** The uses in each body that was looked up. */
  readonly #usesOf = new Map<ParsedItem, readonly Use[]>();
  #uses: readonly Use[] = [];
  /** The targets that the stored versions have now; undefined if the writer may read all. */
  #present: Targets | undefined;

  constructor(source: Source, seesDrafts: SeesDrafts, found = new Map<Uid, Found>()) {
    this.#source = source;
    this.#seesDrafts = seesDrafts;
    this.#found = found;
  }

  /** Looks up all references of the bodies in one statement; sends no statement if there are none. */
  async load(session: Session, owner: Attributed, items: readonly ParsedItem[]): Promise<void> {
    const { services } = this.#source;
    for (const item of items) {
      if (!this.#usesOf.has(item)) this.#usesOf.set(item, usesIn(services, owner, item));
    }
    this.#uses = [...this.#usesOf.values()].flat();
    const wanted = new Map<Uid, Reference[]>();
    for (const { target, reference } of this.#uses) {
      const references = wanted.get(target);
      if (references) references.push(reference);
      else wanted.set(target, [reference]);
    }
    const parts = partsOf(this.#source, wanted, this.#seesDrafts);
    if (parts.length === 0) return;
    for (const [part, ...row] of await send(session, lookup(this.#source, parts))) {
      const { target } = parts[numberOf(part)] ?? {};
      if (target !== undefined) this.#note(target, row);
    }
  }

  /** The targets of one of the bodies that were looked up together. */
  of(item: ParsedItem, present?: Targets): Targets {
    const own = new Targets(this.#source, this.#seesDrafts, this.#found);
    own.#uses = this.#usesOf.get(item) ?? [];
    own.#present = present;
    return own;
  }

  /** Those of a relation's current targets that the writer may not read. */
  hiddenAmong(attribute: Attribute | Field, keys: readonly string[]): readonly string[] {
    const present = this.#present;
    return keys.filter((key) => {
      const [documentId = "", type = ""] = key.split(" ").toReversed();
      const target = present && targetOf(this.#source.services, attribute, { type });
      return target && this.#source.readable?.(target) && !present.#found.get(target)?.locales.has(documentId);
    });
  }

  #note(target: Uid, [id, documentId, locale, mime]: Row): void {
    const none: Found = { locales: new Map(), documentIds: new Map(), ids: new Map(), mimes: new Map() };
    const found = this.#found.get(target) ?? none;
    this.#found.set(target, found);
    const document = requiredText(documentId);
    const locales = found.locales.get(document) ?? new Set();
    if (typeof locale === "string") locales.add(locale);
    found.locales.set(document, locales);
    found.documentIds.set(numberOf(id), document);
    if (typeof mime === "string") found.mimes.set(numberOf(id), mime);
    if (!found.ids.has(document)) found.ids.set(document, numberOf(id));
  }

  /** The locale in which the target must exist; undefined if its type has no locales. */
  #localeOf(target: Uid, reference: Reference): string | undefined {
    const { services, type, locale, anyLocale } = this.#source;
    if (anyLocale || target === FILES || !services.registry.contentType(target).localized) return undefined;
    return (type.localized ? locale : reference.locale) ?? services.config.locales.default;
  }

  /** Throws if a documentId does not exist. */
  checkDocuments(): void {
    for (const { target, reference } of this.#uses) {
      const { documentId } = reference;
      if (documentId === undefined) continue;
      const locale = this.#localeOf(target, reference);
      const locales = this.#found.get(target)?.locales.get(documentId);
      if (locales && (locale === undefined || locales.has(locale))) continue;
      throw new ValidationError(`Document with id "${documentId}", locale "${locale ?? null}" not found`);
    }
  }

  /** The documentId for a reference; undefined if its row id does not exist. */
  documentId(target: Uid, { documentId, id }: Reference): string | undefined {
    if (documentId !== undefined) return documentId;
    return id === undefined ? undefined : this.#found.get(target)?.documentIds.get(id);
  }

  /** The row id for a reference, as used for links to files and in messages. */
  id(target: Uid, { documentId, id }: Reference): number | undefined {
    if (documentId !== undefined) return this.#found.get(target)?.ids.get(documentId);
    return id !== undefined && this.#found.get(target)?.documentIds.has(id) ? id : undefined;
  }

  /** The file that a reference leads to; undefined if it does not exist. */
  file(reference: Reference): StoredFile | undefined {
    const id = this.id(FILES, reference);
    const mime = id === undefined ? undefined : this.#found.get(FILES)?.mimes.get(id);
    return id === undefined || mime === undefined ? undefined : { id, mime };
  }

  /** The target of a reference; undefined if it does not exist. */
  find(attribute: Attribute | Field, reference: Reference): Target | undefined {
    const target = targetOf(this.#source.services, attribute, reference);
    if (target === undefined) return undefined;
    const isMorph = attribute.type === "relation" && !("target" in attribute && attribute.target);
    const id = this.id(target, reference);
    const key = attribute.type === "media" ? id?.toString() : this.documentId(target, reference);
    if (key === undefined) return undefined;
    const whole = isMorph ? `${target} ${key}` : key;
    return { key: whole, id: id ?? whole };
  }

  /** The fault for references to missing documents; undefined if all exist. */
  fault(): string | undefined {
    const missing = new Map<Uid, Set<number>>();
    for (const { target, reference, optional } of this.#uses) {
      if (optional || reference.id === undefined || this.documentId(target, reference) !== undefined) continue;
      missing.set(target, (missing.get(target) ?? new Set()).add(reference.id));
    }
    const [first] = missing;
    return first && `${first[1].size} relation(s) of type ${first[0]} associated with this entity do not exist`;
  }
}
