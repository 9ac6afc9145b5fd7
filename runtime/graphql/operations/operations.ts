/** The interface of root fields that read documents. */
import type { GraphQLResolveInfo } from "graphql";
import type { Prepared, RawQuery, RowSet } from "../../query/index.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { ReadingContext } from "../context.ts";
import type { Node } from "../node.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** What a field of `Query` has read. */
export interface Found {
  readonly documents: RowSet;
  /** What is beside the documents of a page. */
  readonly facts: Node;
}

/** A field of `Query` that reads documents in one go, however much is selected of them. */
export interface RootRead {
  /** Where the documents are in the answer: they are the answer, or are in a member of it. */
  readonly member: "data" | "nodes" | undefined;
  readonly many: boolean;
  /**
   * Checks and plans what is selected, with no regard to the id of a single document, and what `limits` add. Faults are
   * HttpErrors.
   */
  prepare(
    declaration: TypeDeclaration,
    args: Arguments,
    context: ReadingContext,
    info: GraphQLResolveInfo,
    limits?: RawQuery,
  ): Prepared;
  read(prepared: Prepared, args: Arguments, context: ReadingContext): Promise<Found>;
}
