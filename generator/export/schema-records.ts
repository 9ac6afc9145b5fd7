/** Declarations of content types and components in archive form: including the attributes that every row has. */
import plugins from "./plugin-types.json" with { type: "json" };

type Json = Readonly<Record<string, unknown>>;

/** A schema file, or a built-in declaration. */
export interface Declaration {
  readonly uid: string;
  /** Components have none. */
  readonly kind?: string | undefined;
  readonly globalId?: string | undefined;
  readonly collectionName?: string | undefined;
  readonly info: Json;
  readonly options?: Json | undefined;
  readonly pluginOptions?: Json | undefined;
  readonly attributes: Json;
}

/**
 * The types of Strapi's plugins whose rows archives contain, as Strapi declares them: they have no schema files here.
 */
const pluginTypes: readonly Declaration[] = plugins.pluginTypes;

/** Strapi's declarations of built-in types, as far as ours lack them. */
const builtInDetails: Readonly<Record<string, Partial<Declaration>>> = plugins.builtInDetails;

const pascal = (name: string): string =>
  name
    .split(/[-_.\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const isLocalized = ({ pluginOptions }: Declaration): boolean => {
  const i18n: unknown = pluginOptions?.["i18n"];
  return typeof i18n === "object" && i18n !== null && "localized" in i18n && i18n.localized === true;
};

/** The attributes that every row has, by Strapi's declaration of them. */
const systemAttributes = (type: Declaration, table: string): Json => {
  const { locale, localizations, ...others } = plugins.systemAttributes;
  const isPrivate = !isLocalized(type);
  const joinColumn = { name: "document_id", referencedColumn: "document_id", referencedTable: table };
  return {
    ...others,
    locale: { ...locale, private: isPrivate },
    localizations: { ...localizations, target: type.uid, private: isPrivate, joinColumn },
  };
};

const contentType = (type: Declaration): Json => {
  const { uid, kind = "collectionType", info, options = {}, pluginOptions, attributes } = type;
  const [scope = "", modelName = ""] = uid.split(".");
  const plugin = /^plugin::(.+)$/.exec(scope)?.[1];
  const table = type.collectionName ?? `${String(info["pluralName"] ?? modelName)}`.replaceAll("-", "_");
  return {
    collectionName: table,
    info,
    options: { draftAndPublish: false, ...options },
    ...(pluginOptions === undefined ? {} : { pluginOptions }),
    attributes: { ...attributes, ...systemAttributes(type, table) },
    kind,
    modelType: "contentType",
    modelName,
    uid,
    ...(plugin === undefined ? {} : { plugin }),
    globalId: type.globalId ?? `${plugin === undefined ? "" : pascal(plugin)}${pascal(modelName)}`,
  };
};

const component = ({ uid, collectionName, info, options = {}, attributes }: Declaration): Json => {
  const [category = "", modelName = ""] = uid.split(".");
  return {
    collectionName: collectionName ?? `components_${category}_${modelName}`.replaceAll("-", "_"),
    info,
    options,
    attributes,
    modelType: "component",
    modelName,
    uid,
    globalId: `Component${pascal(category)}${pascal(modelName)}`,
  };
};

const withDetails = (type: Declaration): Declaration => {
  const details = builtInDetails[type.uid];
  if (details === undefined) return type;
  return {
    ...details,
    ...type,
    info: { ...details.info, ...type.info },
    options: { ...details.options, ...type.options },
    attributes: { ...type.attributes, ...details.attributes },
  };
};

const byUid = (left: Declaration, right: Declaration): number => (left.uid < right.uid ? -1 : 1);

/** A record for each, sorted by uid, and for the plugin types whose rows an archive contains. */
export const schemaRecords = (types: readonly Declaration[], components: readonly Declaration[]): readonly Json[] => {
  return [
    ...[...pluginTypes, ...types.map(withDetails)].toSorted(byUid).map(contentType),
    ...components.toSorted(byUid).map(component),
  ];
};
