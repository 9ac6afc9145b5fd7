/** Texts of schema files in generated code. */
import { displayNameOf } from "../../runtime/schema/display-name.ts";
import type { TypeLayout } from "../../runtime/schema/layout.ts";
import { stringLiteral } from "../attributes/literal.ts";
import { layoutView } from "./layout.ts";

const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/gu;

/**
 * The source in the header line: a file's path as one comment line.
 *
 * @param file The schema file's path; undefined for a built-in type.
 */
export const sourceLine = (file: string | undefined): string => (file ?? "a built-in schema").replace(CONTROL, "?");

interface Labelled {
  readonly displayName: string;
  readonly description: string | undefined;
  readonly panel: TypeLayout | undefined;
}

/** The layout of a type or component, and its display name and description unless they only repeat its name. */
export const labelsOf = (name: string, { displayName, description = "", panel }: Labelled) => ({
  layout: layoutView(panel),
  displayName: displayName === displayNameOf(name) ? "" : stringLiteral(displayName),
  description: description === "" ? "" : stringLiteral(description),
});
