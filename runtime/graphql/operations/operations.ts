/** Types that the operations of content types share. */
import type { GraphQLResolveInfo } from "graphql";
import type { PageLimits, RowSet } from "../../query/index.ts";
import type { Catalog, TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext, Node, ReadingContext } from "../context.ts";

export type GraphqlFormat = "entity" | "flat";

/** The settings of a schema that its operations depend on. */
export interface OperationScope {
  readonly format: GraphqlFormat;
  /** The declared content types and components. */
  readonly catalog: Catalog;
  readonly limits: PageLimits;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** An operation on a content type. */
export interface Operation {
  readonly scope: OperationScope;
  readonly declaration: TypeDeclaration;
}

/** One call of an operation. */
export interface Call<Context extends ReadingContext = GraphqlContext> extends Operation {
  readonly args: Arguments;
  readonly context: Context;
  readonly info: GraphQLResolveInfo;
}

/** A field of `Query` that reads everything selected below it at once. */
export interface RootRead extends Operation {
  /** One document by its id, the document of a single type, a bare list, or a list with page facts. */
  readonly reads: "one" | "single" | "list" | "page";
}

/** The result of a read by a field of `Query`. */
export interface Found {
  readonly documents: RowSet;
  /** The page facts, by field name. */
  readonly facts: Node;
}
