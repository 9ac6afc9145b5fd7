/** The documents and files that a body refers to. */
import { ValidationError } from "../../base/errors.ts";
import { numberOf, requiredText, type Row, send, type Session } from "../../database/database.ts";
import type { Attribute, Field, Uid } from "../../schema/content-type.ts";
import type { Reference } from "../../schema/validation/relation-value.ts";
import type { Attributed } from "../attributes.ts";
import type { SeesDrafts, Source, WriteServices } from "../context.ts";
import type { StoredFile } from "./allowed-types.ts";
import { FILES, lookup, partsOf } from "./lookup.ts";
import type { ParsedItem } from "./parse.ts";

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

interface Found {
  /** The locales that the document has; empty for types without locales. */
  readonly locales: Map<string, Set<string>>;
  readonly documentIds: Map<number, string>;
  readonly ids: Map<string, number>;
  /** The media types of files. */
  readonly mimes: Map<number, string>;
}

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
    if (this.#uses.length === 0) return;
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
