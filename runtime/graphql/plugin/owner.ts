/** A content type or component as the schema declares it: its descriptor, and the fields that a generated file lists. */
import type { ContentType } from "../../schema/content-type.ts";
import type { OutputField } from "../builder.ts";
import type { Attributes } from "../catalog.ts";

export interface ObjectOwner {
  /** Of its object. */
  readonly name: string;
  readonly uid: string;
  /** Undefined for a component. */
  readonly type: ContentType | undefined;
  /** Those of the descriptor. */
  readonly attributes: Attributes;
  /** By name; made when the schema is, and once. */
  readonly fields: () => ReadonlyMap<string, OutputField>;
}
