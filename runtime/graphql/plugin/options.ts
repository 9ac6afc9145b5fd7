/** What the plugin is given for one schema. */
import type { Catalog } from "../catalog.ts";
import type { ShadowCrud } from "../extension/shadow-crud.ts";
import type { Operations } from "../operations/operations.ts";

export type GraphqlFormat = "entity" | "flat";

/** The options of the plugin. */
export interface ContentOptions {
  readonly format: GraphqlFormat;
  /** What the application has switched off. */
  readonly shadow: ShadowCrud;
  /** Gets what is declared. */
  readonly catalog: Catalog;
  /** What root fields do. */
  readonly operations: Operations;
}
