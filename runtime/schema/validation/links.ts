/** Schemas for references to files and documents in bodies. */
import { z } from "zod";
import type { Many, MorphTarget, One, Target } from "../reference.ts";
import { type Reference, readRelation } from "./relation-value.ts";

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
