/** Schemas for references to files and documents in bodies. */
import { z } from "zod";
import { type Reference, readRelation } from "./relation-value.ts";

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

/** The values for an attribute with one target. */
export type One<Item> = Item | Changes<Item>;
/** The values for an attribute with a list of targets. */
export type Many<Item> = readonly Item[] | Changes<Item>;

/** Limits for the length of a new list. */
export interface ManyOptions {
  readonly min?: number;
}

type Schema<Value> = z.ZodType<Value, Value>;

/** What the issues of references are about, in their `params`. */
export const MISSING = "reference missing";
export const NO_REFERENCE = "no reference";

const issue = (rule: string, input: unknown): z.core.$ZodRawIssue => ({
  code: "custom",
  params: { rule },
  input,
  continue: true,
});

/** A reference in any of its forms; `isNamed` says whether a single one is complete. */
const reference = <Value>(isNamed: (each: Reference) => boolean, min = 0): Schema<Value> =>
  z.any().superRefine((value: unknown, { issues }) => {
    const change = value === null ? undefined : readRelation(value);
    if (change === undefined) issues.push(issue(MISSING, value));
    else if (![...(change.set ?? []), ...change.connect, ...change.disconnect].every(isNamed))
      issues.push(issue(NO_REFERENCE, value));
    else if (change.set?.length === 0 && min > 0) issues.push(issue(MISSING, value));
    else if (change.set && change.set.length < min)
      issues.push({ code: "too_small", origin: "array", minimum: min, inclusive: true, input: value, continue: true });
  });

const isTarget = ({ invalid }: Reference): boolean => !invalid;
const isMorphTarget = ({ invalid, type }: Reference): boolean => !invalid && type !== undefined;

const oneTarget = reference<One<Target>>(isTarget);
const oneMorphTarget = reference<One<MorphTarget>>(isMorphTarget);

/** A file that was uploaded before. */
export const fileId = (): Schema<One<Target>> => oneTarget;

/** Files that were uploaded before, in order. */
export const fileIds = ({ min }: ManyOptions = {}): Schema<Many<Target>> => reference(isTarget, min);

/** A relation to one document. */
export const toOne = (): Schema<One<Target>> => oneTarget;

/** A relation to any number of documents. */
export const toMany = ({ min }: ManyOptions = {}): Schema<Many<Target>> => reference(isTarget, min);

/** A relation to one document of any type. */
export const toAny = (): Schema<One<MorphTarget>> => oneMorphTarget;

/** A relation to any number of documents of any types. */
export const toManyOfAny = ({ min }: ManyOptions = {}): Schema<Many<MorphTarget>> => reference(isMorphTarget, min);
