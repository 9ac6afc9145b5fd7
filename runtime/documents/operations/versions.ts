/** Kept versions of documents, in projects that have types with `options.history`. */
import { ValidationError } from "../../base/errors.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { OperationServices, Versions } from "./context.ts";

/** @throws ValidationError when versions of the type are not kept */
export const versionsOf = ({ versions }: OperationServices, { uid, history }: ContentType): Versions => {
  if (!versions || !history) throw new ValidationError(`${uid} has no "history" in its options`);
  return versions;
};
