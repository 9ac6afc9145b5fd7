/** What fields say of themselves to the checks, in their extensions: the permissions that they take, whose operation they are. */
import type { Action } from "../extension/shadow-crud.ts";
import type { GraphqlFormat } from "../plugin/options.ts";
import type { Scope } from "./scope.ts";

const SCOPE = "galleyScope";
const OPERATION = "galleyOperation";

type Extensions = Readonly<Record<string, unknown>>;

/** Extensions that say which actions a caller must be allowed, all of them; anybody may call where there are none. */
export const requires = (actions: readonly string[]): Extensions => ({ [SCOPE]: actions });

/** What {@link requires} noted; undefined for a field that says nothing of it. */
export const requiredScope = (extensions: Extensions | undefined): readonly string[] | undefined => {
  const scope = extensions?.[SCOPE];
  return Array.isArray(scope) ? scope : undefined;
};

/** Which operation of a content type a root field is. */
interface Operation {
  readonly uid: string;
  readonly action: Action;
  /** The only format that has it. */
  readonly format?: GraphqlFormat | undefined;
}

/** Extensions that say so. */
export const operation = (operation: Operation): Extensions => ({ [OPERATION]: operation });

const isOperation = (value: unknown): value is Operation => typeof value === "object" && value !== null;

/** Whether the schema has the field: true of everything that is no operation of a content type. */
export const isOffered = ({ shadow, format }: Scope, extensions: Extensions | null | undefined): boolean => {
  const operation = extensions?.[OPERATION];
  if (!isOperation(operation)) return true;
  return shadow.offers(operation.uid, operation.action) && (operation.format ?? format) === format;
};
