/** Schemas for references to files and documents in bodies. */
import { z } from "zod";
import type { MediaKind, Uid } from "../content-type.ts";
import { mark } from "./kinds.ts";

/** A reference to a file or document: its documentId, the numeric id of a row, or an object with one of these. */
export type Target = string | number | { documentId: string } | { id: number };

/** A reference to a document of any type, which names the type. */
export type MorphTarget = { __type: string; documentId: string } | { __type: string; id: number };

/** The position of a target in a list. */
export type Position = { before: string | number } | { after: string | number } | { start: true } | { end: true };

/** A target with an optional position; by default it goes to the end. */
export type Placed<Item> = Item | (Extract<Item, object> & { position: Position });

/** Changes to the list of a relation; `set` replaces it. */
export interface Changes<Item> {
  set?: readonly Item[] | undefined;
  connect?: readonly Placed<Item>[] | undefined;
  disconnect?: readonly Item[] | undefined;
  /** `strict: false`: a neighbour that is not in the list is ignored. */
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

type Schema<Value> = z.ZodType<Value, Value>;

/** What a new list may hold; the changes of a list are the same whatever its limits. */
const listOf = <Item>(item: Schema<Item>, changes: Schema<Changes<Item>>) => {
  const unlimited = z.union([z.array(item), changes]);
  return ({ min = 0 }: ManyOptions): Schema<Many<Item>> =>
    min > 0 ? z.union([z.array(item).min(min), changes]) : unlimited;
};

// Made once: attributes differ only in their marks, and a project may have a thousand of them.
const targetChanges = changesOf(target);
const oneTarget = z.union([target, targetChanges]);
const manyTargets = listOf(target, targetChanges);
const morphChanges = changesOf(morphTarget);
const oneMorphTarget = z.union([morphTarget, morphChanges]);
const manyMorphTargets = listOf(morphTarget, morphChanges);

/** Limits for the length of a new list. */
export interface ManyOptions {
  readonly min?: number;
}

/** The allowed kinds of files; all by default. */
export interface FileOptions {
  readonly types?: readonly MediaKind[];
}

/** The values for an attribute with one target. */
export type One<Item> = Item | Changes<Item>;
/** The values for an attribute with a list of targets. */
export type Many<Item> = readonly Item[] | Changes<Item>;

// Each mark belongs to a schema of its own.
const files = <Value>(schema: Schema<Value>, types: FileOptions["types"]): Schema<Value> =>
  mark(types === undefined ? schema.clone() : schema.meta({ "x-types": types }), { kind: "file", types });

const documents = <Value>(schema: Schema<Value>, to: Uid | undefined): Schema<Value> =>
  mark(to === undefined ? schema.clone() : schema.meta({ "x-target": to }), { kind: "relation", target: to });

/** A file that was uploaded before. */
export const fileId = ({ types }: FileOptions = {}): Schema<One<Target>> => files(oneTarget, types);

/** Files that were uploaded before, in order. */
export const fileIds = ({ types, ...options }: FileOptions & ManyOptions = {}): Schema<Many<Target>> =>
  files(manyTargets(options), types);

/** A relation to one document of the type `to`. */
export const toOne = (to: Uid): Schema<One<Target>> => documents(oneTarget, to);

/** A relation to any number of documents of the type `to`. */
export const toMany = (to: Uid, options: ManyOptions = {}): Schema<Many<Target>> => documents(manyTargets(options), to);

/** A relation to one document of any type. */
export const toAny = (): Schema<One<MorphTarget>> => documents(oneMorphTarget, undefined);

/** A relation to any number of documents of any types. */
export const toManyOfAny = (options: ManyOptions = {}): Schema<Many<MorphTarget>> =>
  documents(manyMorphTargets(options), undefined);
