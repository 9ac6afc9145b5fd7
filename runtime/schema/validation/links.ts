/** How bodies name files and documents. */
import { z } from "zod";
import type { MediaKind, Uid } from "../content-type.ts";
import { mark } from "./kinds.ts";

/** One file or document: by documentId, by the numeric id of a row, or by an object that has one of them. */
export type Target = string | number | { documentId: string } | { id: number };

/** A document of any type, which names its own. */
export type MorphTarget = { __type: string; documentId: string } | { __type: string; id: number };

/** Where a target goes in a list. */
export type Position = { before: string | number } | { after: string | number } | { start: true } | { end: true };

/** A target, and where it goes in the list: at the end, unless it says otherwise. */
export type Placed<Item> = Item | (Extract<Item, object> & { position: Position });

/** Changes to the list of a relation; `set` replaces it. */
export interface Changes<Item> {
  set?: readonly Item[] | undefined;
  connect?: readonly Placed<Item>[] | undefined;
  disconnect?: readonly Item[] | undefined;
  /** `strict: false`: a neighbour that is not in the list is no error. */
  options?: { strict?: boolean | undefined } | undefined;
}

const documentId = z.string().regex(/^[\w-]+$/, { error: "Must be a documentId" });
const id = z.int32().positive();
const key = z.union([documentId, id]);
const position = z.union([
  z.strictObject({ before: key }),
  z.strictObject({ after: key }),
  z.strictObject({ start: z.literal(true) }),
  z.strictObject({ end: z.literal(true) }),
]);
const placed = { position: position.optional() };
const target = z.union([documentId, id, z.object({ documentId, ...placed }), z.object({ id, ...placed })]);
const typeUid = z.string().regex(/^[^:]+::[^:]+$/, { error: "Must be the uid of a content type" });
const morphTarget = z.union([
  z.object({ __type: typeUid, documentId, ...placed }),
  z.object({ __type: typeUid, id, ...placed }),
]);

const changesOf = <Item>(item: z.ZodType<Item, Item>) =>
  z
    .strictObject({
      set: z.array(item),
      connect: z.array(item),
      disconnect: z.array(item),
      options: z.object({ strict: z.boolean().optional() }),
    })
    .partial();

const oneOf = <Item>(item: z.ZodType<Item, Item>) => z.union([item, changesOf(item)]);
const manyOf = <Item>(item: z.ZodType<Item, Item>, { min = 0 }: ManyOptions) =>
  z.union([min > 0 ? z.array(item).min(min) : z.array(item), changesOf(item)]);

/** How long a new list has to be. */
export interface ManyOptions {
  readonly min?: number;
}

/** The kinds of files that are taken: all, unless it says otherwise. */
export interface FileOptions {
  readonly types?: readonly MediaKind[];
}

/** What an attribute with one target takes. */
export type One<Item> = Item | Changes<Item>;
/** What an attribute with a list of targets takes. */
export type Many<Item> = readonly Item[] | Changes<Item>;

type Schema<Value> = z.ZodType<Value, Value>;

const files = <Value>(schema: Schema<Value>, types: FileOptions["types"]): Schema<Value> =>
  mark(types === undefined ? schema : schema.meta({ "x-types": types }), { kind: "file", types });

const documents = <Value>(schema: Schema<Value>, to: Uid | undefined): Schema<Value> =>
  mark(to === undefined ? schema : schema.meta({ "x-target": to }), { kind: "relation", target: to });

/** A file that was uploaded before. */
export const fileId = ({ types }: FileOptions = {}): Schema<One<Target>> => files(oneOf(target), types);

/** Files that were uploaded before, in order. */
export const fileIds = ({ types, ...options }: FileOptions & ManyOptions = {}): Schema<Many<Target>> =>
  files(manyOf(target, options), types);

/** A relation to one document of the type `to`. */
export const toOne = (to: Uid): Schema<One<Target>> => documents(oneOf(target), to);

/** A relation to any number of documents of the type `to`. */
export const toMany = (to: Uid, options: ManyOptions = {}): Schema<Many<Target>> =>
  documents(manyOf(target, options), to);

/** A relation to one document of any type. */
export const toAny = (): Schema<One<MorphTarget>> => documents(oneOf(morphTarget), undefined);

/** A relation to any number of documents of any types. */
export const toManyOfAny = (options: ManyOptions = {}): Schema<Many<MorphTarget>> =>
  documents(manyOf(morphTarget, options), undefined);
