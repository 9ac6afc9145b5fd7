/** What `content-types/<name>/extension.ts` may export: code of the user's that the generator never writes. */
import type { Hono } from "hono";
import type { HookedDocument, Hooks } from "../documents/hooks.ts";
import type { AppEnv } from "../http/context.ts";
import type { RestChanges } from "../http/rest/custom.ts";
import type { DocumentOf, InputOf, KnownUid } from "../schema/document.ts";
import type {
  AnswerQuery,
  AnyData,
  Fields,
  Filters,
  FindQuery,
  Populate,
  ReadDocument,
  Status,
  Unpopulated,
} from "../schema/typed/index.ts";

export type {
  AfterChange,
  AfterDelete,
  AfterRead,
  AfterWrite,
  BeforeRead,
  BeforeWrite,
  DocumentEvent,
  HookedDocument,
  Hooks,
  HookServices,
  TransactionTools,
} from "../documents/hooks.ts";

/**
 * The default export of an `extension.ts`; `Data` is what the hooks of writes get and may return, `Document` what those
 * get that run after something was done.
 */
export interface Extension<
  Data = Readonly<Record<string, unknown>>,
  Document = HookedDocument,
  Where = object,
  Query = object,
  Answer = object,
> {
  /** What is changed of the generated routes. */
  readonly rest?: RestChanges<Query, Answer>;
  /** Routes of the user's own, below the REST prefix, tried before the generated ones. */
  routes?(router: Hono<AppEnv>): void;
  /** Run around every write of the type, wherever it comes from. */
  readonly hooks?: Hooks<Data, Document, Where>;
}

/**
 * Types the default export of an `extension.ts`. With the uid, `defineExtension<"api::article.article">({ ... })`, the
 * data and the documents in hooks are those of the content type.
 */
export const defineExtension = <Uid extends KnownUid = never>(extension: ExtensionOf<Uid>): ExtensionOf<Uid> =>
  extension;

type ExtensionOf<Uid extends KnownUid> = Extension<
  DataOfUid<Uid>,
  HookedOfUid<Uid>,
  WhereOfUid<Uid>,
  QueryOfUid<Uid>,
  AnswerOfUid<Uid>
>;

type QueryOfUid<Uid extends KnownUid> = [Uid] extends [never] ? object : FindQuery<DocumentOf<Uid>>;

type AnswerOfUid<Uid extends KnownUid> = [Uid] extends [never]
  ? object
  : AnswerQuery<Fields<DocumentOf<Uid>>, Populate<DocumentOf<Uid>>>;

type WhereOfUid<Uid extends KnownUid> = [Uid] extends [never] ? object : Filters<DocumentOf<Uid>>;

type DataOfUid<Uid extends KnownUid> = [Uid] extends [never]
  ? Readonly<Record<string, unknown>>
  : AnyData<DocumentOf<Uid>, InputOf<Uid>>;

type HookedOfUid<Uid extends KnownUid> = [Uid] extends [never]
  ? HookedDocument
  : Omit<ReadDocument<DocumentOf<Uid>, "*", Unpopulated<DocumentOf<Uid>>, Status>, "id">;
