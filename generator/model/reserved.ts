/** Names that are reserved before any schema file is read. */

const list = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

/** Tables and sequences of the runtime, which share the database with tables of content types. */
export const SYSTEM_TABLES = list(`
  api_tokens component_ids document_schedules document_versions documents files one_time_codes rate_limits role_permissions user_identities user_sessions
  user_token_versions
`);

/** Globals that generated files may use: no interface or constant may shadow them. */
export const GLOBALS = list(`
  Array Boolean Date Error Function Map NonNullable Number Object Promise Record RegExp Set String Symbol
`);

/**
 * Types of modules that generated files augment: within such an augmentation they would shadow an interface of that
 * name.
 */
export const ADDED_TO = list(`
  BlockNode Blocks Builder BuilderOf CodeNode ComponentFields ComponentUid ContentTypes DocumentFields DocumentOf
  DraftAndPublish DynamicZone File FileFormat GraphqlModule GraphqlObjects GraphqlTypes HasDrafts HeadingNode ImageNode InlineNode
  InputField InputFields InputMembers InputOf InputRef Json KnownUid LinkNode ListItemNode ListNode MorphDocument
  MutationFields ObjectFields ObjectRef OutputField OwnBuilder ParagraphNode Private QueryFields QuoteNode Status TextNode Uid
`);

/** Names that templates import or declare: generated names must differ. A test compares the list. */
export const IN_TEMPLATES = list(`
  AnyPgColumn apiTokens app Application auth bigint biginteger blocks boolean builder can collection
  collectionWithDrafts columnIndex compareVersions componentIds conditional create createClient date datetime decimal
  declare defineApplication defineClient defineComponent defineContentType discardDraft discardDraftSingle documents
  documentsRelations doublePrecision email entriesIndex entryFields extensions fileId fileIds fileLinkColumns files find findDeleted
  findOne findSingle findVersion findVersions integer inverseIndex inversePosition json linkColumns linkIndexes
  localeColumn locales many module morphType morphVersion never now numeric one oneTimeCodes password pattern pgTable PgTable
  publish publishSingle rateLimits relations remove removeSingle restore restoreVersion rolePermissions router schedule
  scheduled scheduledSingle scheduleSingle searchColumn searchIndex single singleWithDrafts slowPattern slug string t tables text
  time timestamp toAny toDocument toFile toMany toManyOfAny toOne type undefined uniqueAmongPublished unpublish
  unpublishSingle update updateSingle userIdentities users userSessions userTokenVersions validators varchar version
  versionColumns versionIndexes when withSingleVersions withVersions z
`);

/** GraphQL types that always exist. */
export const GRAPHQL_TYPES = list(`
  Boolean BooleanFilterInput ComponentType Date DateFilterInput DateTime DateTimeFilterInput DeleteMutationResponse DocumentSchedule DocumentVersion
  Error FileInfoInput Float FloatFilterInput GenericMorph I18NLocale I18NLocaleCode ID IDFilterInput Int
  IntFilterInput JSON JSONFilterInput Long LongFilterInput Mutation Pagination PaginationArg PublicationFilter
  PublicationState PublicationStatus Query ResponseCollectionMeta String StringFilterInput Subscription Time
  TimeFilterInput Upload UploadFile
`);

/** GraphQL fields that read built-in types. */
export const GRAPHQL_QUERIES = list("i18NLocale i18NLocales me uploadFile uploadFiles");

/** Logical operators in GraphQL filters, which attribute names must not shadow. */
export const GRAPHQL_COMBINATORS = list("and or not");

/** Folders of `generated/` that no content type may use. */
export const GENERATED_FOLDERS = list("client components migrations users-permissions");

/** First path segments of the server's own REST routes. */
export const BUILT_IN_ROUTES = list("auth connect i18n upload users users-permissions");

/** Content type names that the reference service's builder refuses. */
const MODEL_NAMES = new Set(["boolean", "date", "date_time", "time", "upload", "document", "then"]);
const PREFIX = /^_{0,2}strapi/;

/** True for a singularName or pluralName, in snake case, that should be avoided. */
export const isReservedModelName = (name: string): boolean => MODEL_NAMES.has(name) || PREFIX.test(name);

/** Fields that every document has. */
export const SYSTEM_FIELDS = list("id documentId createdAt updatedAt publishedAt locale");

const IDENTITY = new Set(["id", "document_id"]);
const SYSTEM = new Set(
  list("created_at updated_at published_at created_by updated_by locale localizations galley_words"),
);
const DISCOURAGED = new Set(["created_by_id", "updated_by_id", "entry_id", "meta"]);

/** How an attribute name, in snake case, relates to system names. */
export const attributeNameClass = (name: string): "identity" | "system" | "discouraged" | "free" => {
  if (IDENTITY.has(name)) return "identity";
  if (SYSTEM.has(name)) return "system";
  return DISCOURAGED.has(name) || PREFIX.test(name) ? "discouraged" : "free";
};
