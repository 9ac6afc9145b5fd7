/** The result of planning a write. */
import type { ContentType } from "../../schema/content-type.ts";
import type { Step } from "../sql/put.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import type { Uniqueness } from "./uniqueness.ts";

/** A planned write, whose steps only have to be sent. */
export interface Plan {
  readonly type: ContentType;
  readonly documentId: string;
  /** The version whose unique values are stored. */
  readonly version: Version;
  /** The versions in its locale before the write. */
  readonly before: readonly LoadedVersion[];
  readonly uniqueness: Uniqueness;
  readonly steps: readonly Step[];
}
