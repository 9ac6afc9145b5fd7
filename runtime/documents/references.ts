/** Finds the documents and files that a body refers to. */
import { type SQL, sql } from "drizzle-orm";
import type { Attribute, ContentType, Field, Uid } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { numberOf, textOf } from "../database/statements.ts";
import { ValidationError } from "../errors.ts";
import { files } from "../media/table.ts";
import type { Owner } from "./attributes.ts";
import type { ParsedItem } from "./body/parse.ts";
import type { Reference } from "./body/relation-value.ts";
import type { WriteServices } from "./context.ts";
import { type Bound, sendAll, statementOf } from "./sql/statement.ts";
import { list } from "./sql/version.ts";

export const FILES: Uid = "plugin::upload.file";

/** Where the references stand: it decides in which locale their targets are looked for. */
export interface Source {
  readonly services: WriteServices;
  readonly type: ContentType;
  readonly locale: string | null;
}

interface Use {
  readonly target: Uid;
  readonly reference: Reference;
  /** A target that is to be disconnected need not be there when it is named by its id. */
  readonly optional: boolean;
}

/** The type that a link leads to; a reference of a morph relation names its own. */
export const targetOf = (
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

const usesOf = function* (services: WriteServices, owner: Owner, item: ParsedItem): Generator<Use> {
  for (const [name, change] of item.links) {
    const attribute = owner.attributes[name];
    const neighbours = change.connect.flatMap(({ position }) =>
      position && "neighbour" in position ? [position.neighbour] : [],
    );
    const lists = [
      { references: [...(change.set ?? []), ...change.connect], optional: false },
      { references: [...change.disconnect, ...neighbours], optional: true },
    ];
    for (const { references, optional } of lists) {
      for (const reference of references) {
        const target = targetOf(services, attribute, reference);
        if (target !== undefined && !reference.invalid) yield { target, reference, optional };
      }
    }
  }
  for (const [name, items] of item.components) {
    const attribute = owner.attributes[name];
    for (const entry of items) {
      const uid = attribute?.type === "component" ? attribute.component : entry.component;
      if (uid !== undefined) yield* usesOf(services, services.registry.component(uid), entry);
    }
  }
};

interface Wanted {
  readonly ids: Set<number>;
  readonly documentIds: Set<string>;
}

/** The list in a statement's value. As a subquery it has one estimate, and so the statement one plan, at any length. */
const anyOf = (name: string, type: "text" | "int"): SQL =>
  sql`any((select ${sql.placeholder(name)}::${sql.raw(type)}[])::${sql.raw(type)}[])`;

/** One statement for the documents that are named by documentId, and one for those named by a numeric id. */
const lookups = (services: WriteServices, target: Uid, { ids, documentIds }: Wanted): readonly Bound[] => {
  const type = target === FILES ? undefined : services.registry.contentType(target);
  const table = type?.table ?? files;
  const locale = type?.table.locale;
  const columns = [table.id, table.documentId, ...(locale ? [locale] : [])].map((column) => sql`${column}`);
  const select = (key: string, where: () => SQL) =>
    statementOf(table, key, () => sql`select ${list(columns)} from ${table} where ${where()}`);
  const byDocumentId = select("lookup by documentId", () => sql`${table.documentId} = ${anyOf("documentIds", "text")}`);
  const byId = select("lookup by id", () => sql`${table.id} = ${anyOf("ids", "int")}`);
  return [
    ...(documentIds.size > 0 ? [{ statement: byDocumentId, values: { documentIds: [...documentIds] } }] : []),
    ...(ids.size > 0 ? [{ statement: byId, values: { ids: [...ids] } }] : []),
  ];
};

interface Found {
  /** The locales that a document has; empty for types without locales. */
  readonly locales: Map<string, Set<string>>;
  readonly documentIds: Map<number, string>;
  readonly ids: Map<string, number>;
}

const INT4 = 2 ** 31;

/** The targets of a body's references. */
export class Targets {
  readonly #source: Source;
  readonly #found = new Map<Uid, Found>();
  #uses: readonly Use[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  /** Looks up what the body refers to, at once; nothing is asked when it refers to nothing. */
  async load(session: Session, owner: Owner, item: ParsedItem): Promise<void> {
    const { services } = this.#source;
    this.#uses = [...usesOf(services, owner, item)];
    const wanted = new Map<Uid, Wanted>();
    for (const { target, reference } of this.#uses) {
      const entry = wanted.get(target) ?? { ids: new Set(), documentIds: new Set() };
      wanted.set(target, entry);
      if (reference.documentId !== undefined) entry.documentIds.add(reference.documentId.replaceAll("\0", ""));
      else if (Number.isInteger(reference.id) && Math.abs(reference.id ?? 0) < INT4) entry.ids.add(reference.id ?? 0);
    }
    const asked = [...wanted].flatMap(([target, entry]) =>
      lookups(services, target, entry).map((bound) => ({ target, bound })),
    );
    const results = await sendAll(
      session,
      asked.map(({ bound }) => bound),
    );
    asked.forEach(({ target }, index) => this.#note(target, results[index] ?? []));
  }

  #note(target: Uid, rows: Awaited<ReturnType<typeof sendAll>>[number]): void {
    const found = this.#found.get(target) ?? { locales: new Map(), documentIds: new Map(), ids: new Map() };
    this.#found.set(target, found);
    for (const [id, documentId, locale] of rows) {
      const document = textOf(documentId);
      const locales = found.locales.get(document) ?? new Set();
      if (typeof locale === "string") locales.add(locale);
      found.locales.set(document, locales);
      found.documentIds.set(numberOf(id), document);
      if (!found.ids.has(document)) found.ids.set(document, numberOf(id));
    }
  }

  /** The locale in which a target has to be there; undefined when it has no locales. */
  #localeOf(target: Uid, reference: Reference): string | undefined {
    const { services, type, locale } = this.#source;
    if (target === FILES || !services.registry.contentType(target).localized) return undefined;
    return (type.localized ? locale : reference.locale) ?? services.config.locales.default;
  }

  /** Refuses documentIds that lead nowhere. */
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

  /** The documentId, or undefined when a numeric id leads nowhere. */
  documentId(target: Uid, { documentId, id }: Reference): string | undefined {
    if (documentId !== undefined) return documentId;
    return id === undefined ? undefined : this.#found.get(target)?.documentIds.get(id);
  }

  /** The numeric id of one of the target's rows: what files are linked by, and messages name. */
  id(target: Uid, { documentId, id }: Reference): number | undefined {
    if (documentId !== undefined) return this.#found.get(target)?.ids.get(documentId);
    return id !== undefined && this.#found.get(target)?.documentIds.has(id) ? id : undefined;
  }

  /** What is wrong with the references as a whole; undefined when all lead somewhere. */
  fault(item: ParsedItem): string | undefined {
    if (hasInvalid(item)) return "Invalid relations";
    const missing = new Map<Uid, Set<number>>();
    for (const { target, reference, optional } of this.#uses) {
      if (optional || reference.id === undefined || this.documentId(target, reference) !== undefined) continue;
      missing.set(target, (missing.get(target) ?? new Set()).add(reference.id));
    }
    const [first] = missing;
    return first && `${first[1].size} relation(s) of type ${first[0]} associated with this entity do not exist`;
  }
}

const hasInvalid = ({ links, components }: ParsedItem): boolean =>
  [...links.values()].some((change) =>
    [...(change.set ?? []), ...change.connect, ...change.disconnect].some(({ invalid }) => invalid === true),
  ) || [...components.values()].some((items) => items.some(hasInvalid));
