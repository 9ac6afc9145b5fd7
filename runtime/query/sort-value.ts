/** What is known of a value that a list is sorted by. */
import type { ScalarType } from "../schema/content-type.ts";
import type { SortKey } from "./query.ts";
import type { Owner, Schema } from "./schema.ts";

export interface SortValue {
  readonly type: ScalarType;
  /** Whether the value is stored in the JSON of a component. */
  readonly isInJson: boolean;
  readonly isNullable: boolean;
}

/** The value at the end of a checked path. */
export const sortValueOf = (schema: Schema, start: Owner, { path }: SortKey): SortValue => {
  let owner = start;
  for (const { name } of path) {
    const member = owner.members.get(name);
    if (member?.kind === "scalar") {
      const isInJson = member.column === undefined;
      return { type: member.type, isInJson, isNullable: path.length > 1 || member.column?.notNull !== true };
    }
    if (member?.kind === "component") owner = schema.component(member.component);
    else if (member?.kind === "relation" && member.target !== undefined) owner = schema.type(member.target);
    else break;
  }
  throw new Error("A sort key ends in no scalar");
};
