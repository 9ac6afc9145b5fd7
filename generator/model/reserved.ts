/** Names that are taken before the first schema file is read. */

const list = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

/** Tables of the runtime, which share the database with those of content types. */
export const SYSTEM_TABLES = list(`
  api_token_permissions api_tokens component_ids documents files folders locales migrations permissions
  refresh_sessions role_permissions sessions up_permissions webhooks webhook_deliveries
`);

/** What generated files import by name, and globals that they mention: a constant or interface must not hide them. */
export const IMPORTED_NAMES = list(`
  Application Array BlockNode Blocks Boolean Component ComponentFields ContentType ContentTypes Date DocumentFields
  Error Extensions File Function Json Map Math Number Object Promise Record RegExp Set String Symbol AnyPgColumn Uid

  bigint bigserial blocks boolean biginteger can columnIndex component components count create createSingle date
  datetime decimal defineApplication defineComponent defineContentType doublePrecision dynamicZone email enumeration
  entity enumType extensions fileLinkColumns find findOne findSingle float identifier index integer inversePosition
  json jsonb linkColumns linkIndexes localeColumn many media morphType numeric one password pgTable primaryKey publish
  relation relations remove removeSingle richtext router serial single sql string text time timestamp toDocument
  toFile uid uniqueIndex unpublish update updateSingle validator varchar versionColumns versionIndexes
`);

/** GraphQL types that exist whatever the schema files say. */
export const GRAPHQL_TYPES = list(`
  Boolean BooleanFilterInput ComponentType Date DateFilterInput DateTime DateTimeFilterInput DeleteMutationResponse
  Error FileInfoInput Float FloatFilterInput GenericMorph I18NLocale I18NLocaleCode ID IDFilterInput Int
  IntFilterInput JSON JSONFilterInput Long LongFilterInput Mutation Pagination PaginationArg PublicationFilter
  PublicationState PublicationStatus Query ResponseCollectionMeta String StringFilterInput Subscription Time
  TimeFilterInput Upload UploadFile
`);

/** GraphQL fields that read what is built in. */
export const GRAPHQL_QUERIES = list("i18NLocale i18NLocales me uploadFile uploadFiles");

/** Folders of `generated/` that belong to no content type. */
export const GENERATED_FOLDERS = list("client components migrations users-permissions");

/** Names of content types that the reference service's builder refuses. */
const MODEL_NAMES = new Set(["boolean", "date", "date_time", "time", "upload", "document", "then"]);
const PREFIX = /^_{0,2}strapi/;

/** True for a singularName or pluralName, in snake case, that is better not used. */
export const isReservedModelName = (name: string): boolean => MODEL_NAMES.has(name) || PREFIX.test(name);

const IDENTITY = new Set(["id", "document_id"]);
const SYSTEM = new Set([
  "created_at",
  "updated_at",
  "published_at",
  "created_by",
  "updated_by",
  "locale",
  "localizations",
]);
const DISCOURAGED = new Set(["created_by_id", "updated_by_id", "entry_id", "meta"]);

/** How an attribute name, in snake case, stands to the names of the system. */
export const attributeNameClass = (name: string): "identity" | "system" | "discouraged" | "free" => {
  if (IDENTITY.has(name)) return "identity";
  if (SYSTEM.has(name)) return "system";
  return DISCOURAGED.has(name) || PREFIX.test(name) ? "discouraged" : "free";
};
