/** The exports of `content-types/<name>/extension.ts`: user code that the generator never overwrites. */
import type { Hono } from "hono";
import type { HookedDocument, Hooks } from "../documents/hooks.ts";
import type { RouteEnv } from "../http/context.ts";
import type { AnswersOf, RestBodies } from "../http/rest/answers.ts";
import type { RestChanges } from "../http/rest/custom.ts";
import type { ContentTypes, DocumentOf, InputOf, KnownUid } from "../schema/document.ts";
import type { ValidatorChanges } from "../schema/registry.ts";
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
import type { Schema } from "../schema/validation/members.ts";

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
 * The default export of an `extension.ts`. `Data` is the type of the data in hooks before a write, `Document` that of
 * documents in hooks after it.
 */
export interface Extension<
  Data = Readonly<Record<string, unknown>>,
  Document = HookedDocument,
  Where = object,
  Query = object,
  Answer = object,
  Validators = ValidatorChanges,
  Bodies extends RestBodies = RestBodies,
> {
  /**
   * Changes of what documents have to satisfy, on every path. Each function gets the generated Zod schema and returns
   * the one to use, as in `publish: (schema) => schema.refine(…)`.
   */
  readonly validators?: Validators;
  /** Changes of the generated routes. */
  readonly rest?: RestChanges<Query, Answer, Bodies>;
  /** Adds the user's own routes below the REST prefix. They take precedence over the generated ones. */
  routes?(router: Hono<RouteEnv>): void;
  /** Hooks around every write of the type, through any API. */
  readonly hooks?: Hooks<Data, Document, Where>;
}

/**
 * Types the default export of an `extension.ts`. With a uid, `defineExtension<"api::article.article">({ ... })`, hooks
 * get the data and documents of that content type.
 */
export const defineExtension = <Uid extends KnownUid = never>(extension: ExtensionOf<Uid>): ExtensionOf<Uid> =>
  extension;

type ExtensionOf<Uid extends KnownUid> = Extension<
  DataOfUid<Uid>,
  HookedOfUid<Uid>,
  WhereOfUid<Uid>,
  QueryOfUid<Uid>,
  AnswerOfUid<Uid>,
  ValidatorsOfUid<Uid>,
  [Uid] extends [never] ? RestBodies : AnswersOf<Uid>
>;

type ValidatorsOfUid<Uid extends KnownUid> = [Uid] extends [never]
  ? ValidatorChanges
  : ValidatorChanges<SchemaOf<Uid, "publish">, SchemaOf<Uid, "draft">>;

/** A generated schema; never, if the type has none of this name. */
type SchemaOf<Uid extends KnownUid, Name extends string> =
  ContentTypes[Uid] extends Readonly<Record<Name, infer Declared extends Schema>> ? Declared : never;

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
