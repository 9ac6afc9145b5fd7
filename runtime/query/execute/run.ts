import type { Reader } from "../../database/database.ts";
import type { Bindings } from "../sql/compile.ts";

/** What the statements of one request run with. */
export interface Run {
  readonly session: Reader;
  readonly bindings: Bindings;
  /** Items have an `attributes` object and relations a `data` object. */
  readonly nested: boolean;
}
