/** The result of planning a write. */
import type { Bound } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import type { Uniqueness } from "./uniqueness.ts";

/** A planned write, whose statements only have to be sent. */
export interface Plan {
  readonly type: ContentType;
  readonly documentId: string;
  /** The version whose unique values are stored. */
  readonly version: Version;
  /** The versions in its locale before the write. */
  readonly before: readonly LoadedVersion[];
  readonly uniqueness: Uniqueness;
  readonly statements: readonly Bound[];
}
