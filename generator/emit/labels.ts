import { displayNameOf } from "../../runtime/schema/display-name.ts";
import { stringLiteral } from "../attributes/literal.ts";

interface Labelled {
  readonly displayName: string;
  readonly description: string | undefined;
}

/** What people read of a type or component, as far as its name does not say it. */
export const labelsOf = (name: string, { displayName, description = "" }: Labelled) => ({
  displayName: displayName === displayNameOf(name) ? "" : stringLiteral(displayName),
  description: description === "" ? "" : stringLiteral(description),
});
