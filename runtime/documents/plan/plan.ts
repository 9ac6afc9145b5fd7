/** What working out a write leads to. */
import type { Bound } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import type { Uniqueness } from "./uniqueness.ts";

/** A write that has been worked out and only needs to be sent. */
export interface Plan {
  readonly type: ContentType;
  readonly documentId: string;
  /** The version whose unique values are stored. */
  readonly version: Version;
  /** The versions that were there in its locale. */
  readonly before: readonly LoadedVersion[];
  readonly uniqueness: Uniqueness;
  readonly statements: readonly Bound[];
}
