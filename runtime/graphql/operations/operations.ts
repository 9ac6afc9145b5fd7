/** What the root fields of content types do. The schema is built around this interface; `content.ts` implements it. */
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

/** `create` and its like answer with the document as the selection shapes it, or null where there is none. */
export interface Operations {
  readonly findOne: Operation<Node | null>;
  readonly findSingle: Operation<Node | null>;
  /** The bare list of the flat format. */
  readonly findList: Operation<readonly Node[]>;
  /** The list with its paging facts. */
  readonly findCollection: Operation<Node>;
  readonly create: Operation<Node | null>;
  readonly update: Operation<Node | null>;
  readonly updateSingle: Operation<Node | null>;
  readonly remove: Operation<Node | null>;
  readonly removeSingle: Operation<Node | null>;
  /** Adds a locale to a document (entity format). */
  readonly createLocalization: Operation<Node | null>;
}
