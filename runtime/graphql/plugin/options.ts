/** What the plugin is given for one schema. */
import type { PageLimits } from "../../query/index.ts";
import type { Catalog } from "../catalog.ts";
import type { ShadowCrud } from "../extension/shadow-crud.ts";

export type GraphqlFormat = "entity" | "flat";

/** The options of the plugin. */
export interface ContentOptions {
  readonly format: GraphqlFormat;
  /** Gets what is declared. */
  readonly catalog: Catalog;
  readonly limits: PageLimits;
  /** What the application has switched off. */
  readonly shadow: ShadowCrud;
}

/** What operations depend on. */
export type OperationScope = Omit<ContentOptions, "shadow">;
