/** What the operations of content types have in common. */
import type { GraphQLResolveInfo } from "graphql";
import type { PageLimits, RowSet } from "../../query/index.ts";
import type { Catalog, TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext, Node, ReadingContext } from "../context.ts";

export type GraphqlFormat = "entity" | "flat";

/** The settings of a schema on which its operations depend. */
export interface OperationScope {
  readonly format: GraphqlFormat;
  /** What is declared. */
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

/** A field of `Query` that reads everything that is selected below it in one go. */
export interface RootRead extends Operation {
  /** One document by its id, the document of a single type, a bare list, or a list with facts about the page. */
  readonly reads: "one" | "single" | "list" | "page";
}

/** What a field of `Query` has read. */
export interface Found {
  readonly documents: RowSet;
  /** The facts about the page, by the name of their field. */
  readonly facts: Node;
}
