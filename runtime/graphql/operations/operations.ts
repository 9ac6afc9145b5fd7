/** What the root fields of content types do. The schema is built around this interface; `reads.ts` and `writes.ts` implement it. */
import type { GraphQLResolveInfo } from "graphql";
import type { Reader } from "../../database/database.ts";
import type { Prepared, RawQuery, RowSet } from "../../query/index.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext, ReadingContext } from "../context.ts";
import type { Node } from "../node.ts";

export type Arguments = Readonly<Record<string, unknown>>;

type Operation<Result> = (
  declaration: TypeDeclaration,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Promise<Result>;

/** Checks and plans what is selected, before anything is done; what it returns reads a document so. */
type Show = (
  declaration: TypeDeclaration,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => (documentId: string) => Promise<Node>;

/** The same for a document that is about to be deleted: it is read in the transaction, and shown behind it. */
type ShowLast = (...asked: Parameters<Show>) => (documentId: string, session: Reader) => Promise<() => Promise<Node>>;

/** What a field of `Query` has read. */
export interface Found {
  readonly documents: RowSet;
  /** What stands beside the documents of a page. */
  readonly facts: Node;
}

/** A field of `Query` that reads documents in one go, however much is selected of them. */
export interface RootRead {
  /** Where the documents stand in the answer: they are the answer, or stand in a member of it. */
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

/** What is asked of documents, and how those who wrote one of them show it. */
export interface Reads {
  readonly findOne: RootRead;
  readonly findSingle: RootRead;
  /** The bare list of the flat format. */
  readonly findList: RootRead;
  /** The list with its paging facts. */
  readonly findCollection: RootRead;
  /** `{ data }` with one document, for those who write it, who need not be allowed to find it. */
  readonly show: Show;
  /** The same for those who delete it. */
  readonly showLast: ShowLast;
  /** Without the wrapper. */
  readonly showBare: Show;
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
