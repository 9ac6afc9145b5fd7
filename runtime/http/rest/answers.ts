/** The types of what generated handlers answer, for code that wraps them. */
import type {
  Answer,
  CursorInfo,
  ListAnswer,
  OffsetInfo,
  PageInfo,
  Schedule,
  VersionDifference,
  VersionInfo,
} from "../../client/answers.ts";
import type { ContentTypes, DocumentOf, KnownUid, Status } from "../../schema/document.ts";
import type { ReadDocument, ValueName } from "../../schema/typed/index.ts";

/** The actions of the routes of content types: the last part of their permission's name. */
export type RestAction =
  | "find"
  | "findOne"
  | "create"
  | "update"
  | "delete"
  | "publish"
  | "unpublish"
  | "discardDraft"
  | "schedule"
  | "findVersions"
  | "findVersion"
  | "compareVersions"
  | "findDeleted"
  | "restoreVersion"
  /** For the user type only. */
  | "count"
  | "me"
  | "destroy";

/** The JSON of responses by action. */
export type RestBodies = Readonly<Record<RestAction, unknown>>;

/** A response whose JSON is of a known type. */
export interface JsonAnswer<Body> extends Response {
  json(): Promise<Body>;
}

/** A document with whatever a client, or a default query, may have asked for. */
type Shown<Document> = ReadDocument<Document, readonly ValueName<Document>[], readonly string[], Status>;

/** In the formats of version 4, values and relations are in `attributes`. */
type Written<Document> = Shown<Document> &
  Omit<{ readonly attributes?: Partial<Shown<Document>> }, keyof Document & string>;

type Part = Partial<PageInfo & OffsetInfo & CursorInfo>;

/** The JSON of responses by action; most contain one document. */
export interface HandlerBodies<One, Many>
  extends Readonly<Record<Exclude<RestAction, keyof OtherBodies | "find">, One>>, OtherBodies {
  readonly find: Many;
}

/** The JSON of responses without documents. */
interface OtherBodies {
  readonly schedule: Answer<Schedule>;
  readonly findVersions: ListAnswer<VersionInfo, Part>;
  readonly findDeleted: ListAnswer<VersionInfo, Part>;
  readonly compareVersions: Answer<readonly VersionDifference[]>;
  readonly count: number;
}

/** The JSON responses of a content type's generated handlers. In the format of version 5, `delete` has none. */
export type AnswersOf<Uid extends KnownUid> = Uid extends "plugin::users-permissions.user"
  ? HandlerBodies<Shown<DocumentOf<Uid>>, Shown<DocumentOf<Uid>>[]>
  : HandlerBodies<
      Answer<Written<DocumentOf<Uid>>>,
      ContentTypes[Uid] extends { readonly single: true }
        ? Answer<Written<DocumentOf<Uid>>>
        : ListAnswer<Written<DocumentOf<Uid>>, Part>
    >;
