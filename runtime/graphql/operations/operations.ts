/** What the root fields of content types do. The schema is built around this interface; `reads.ts` and `writes.ts` implement it. */
import type { GraphQLResolveInfo } from "graphql";
import type { Node } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { TypeDeclaration } from "../declaration.ts";

export type Arguments = Readonly<Record<string, unknown>>;

type Operation<Result> = (
  declaration: TypeDeclaration,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Promise<Result>;

type Show<Result> = (
  declaration: TypeDeclaration,
  documentId: string,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Promise<Result>;

/** What is asked of documents, and how those who wrote one of them show it. */
export interface Reads {
  readonly findOne: Operation<Node | null>;
  readonly findSingle: Operation<Node | null>;
  /** The bare list of the flat format. */
  readonly findList: Operation<readonly Node[]>;
  /** The list with its paging facts. */
  readonly findCollection: Operation<Node>;
  /** `{ data }` with one document, for those who just wrote it. */
  readonly show: Show<Node>;
  /** The same without the wrapper. */
  readonly showBare: Show<Node>;
}

/** All answer with the document as the selection shapes it, or with null where there is none. */
export interface Writes {
  readonly create: Operation<Node | null>;
  readonly update: Operation<Node | null>;
  readonly updateSingle: Operation<Node | null>;
  readonly remove: Operation<Node | null>;
  readonly removeSingle: Operation<Node | null>;
  /** Adds a locale to a document (entity format). */
  readonly createLocalization: Operation<Node | null>;
}

export type Operations = Reads & Writes;
