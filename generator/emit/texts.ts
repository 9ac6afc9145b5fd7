/** Texts of schema files, as generated code has them. */
import { displayNameOf } from "../../runtime/schema/display-name.ts";
import { stringLiteral } from "../attributes/literal.ts";

const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/gu;

/**
 * The header line's source: a file's path as one line of comment.
 *
 * @param file Path of the schema file; undefined for a type that the package brings along.
 */
export const sourceLine = (file: string | undefined): string => (file ?? "a built-in schema").replace(CONTROL, "?");

interface Labelled {
  readonly displayName: string;
  readonly description: string | undefined;
}

/** What people read of a type or component, as far as its name does not say it. */
export const labelsOf = (name: string, { displayName, description = "" }: Labelled) => ({
  displayName: displayName === displayNameOf(name) ? "" : stringLiteral(displayName),
  description: description === "" ? "" : stringLiteral(description),
});
