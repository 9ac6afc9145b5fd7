/** The server's description of its content types and components, and of the caller. */
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { send } from "./client.ts";

export interface Attribute {
  readonly type: string;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly writable?: boolean;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly regex?: string;
  readonly enum?: readonly string[];
  readonly relation?: string;
  readonly target?: string;
  readonly multiple?: boolean;
  readonly allowedTypes?: readonly string[];
  readonly component?: string;
  readonly repeatable?: boolean;
  readonly components?: readonly string[];
  readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } };
  readonly panel?: AttributeLayout;
  /** The uid of its type or component, and its name. */
  readonly key?: string;
  /** Whether its value is the title of a document, by the layout. */
  readonly isTitle?: boolean;
}

/** Types of attributes whose values have an order. */
export const NUMBERS = ["integer", "biginteger", "float", "decimal"];
export const TIMES = ["date", "datetime", "time"];

/** What the schema file says of how an attribute is shown. */
interface AttributeLayout {
  readonly label?: string;
  readonly help?: string;
  readonly placeholder?: string;
  readonly group?: string;
  /** Of twelve columns. */
  readonly width?: number;
  readonly hidden?: boolean;
  readonly readOnly?: boolean;
  /** The name of a control of the project. */
  readonly field?: string;
}

/** What it says of a type or component. */
interface Layout {
  readonly title?: string;
  readonly groups?: readonly string[];
  /** The order of the fields. */
  readonly fields?: readonly string[];
  readonly columns?: readonly string[];
  readonly icon?: string;
  readonly order?: number;
}

export type Attributes = Readonly<Record<string, Attribute>>;

export interface Component {
  readonly uid: string;
  readonly category: string;
  readonly displayName: string;
  readonly panel: Layout;
  readonly attributes: Attributes;
}

export interface ContentType {
  readonly uid: string;
  readonly kind: "collectionType" | "singleType";
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly description?: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly schedules: boolean;
  readonly panel: Layout;
  readonly attributes: Attributes;
}

/** A permission from the configuration. */
export interface Configured {
  readonly action: string;
  /** The languages that it covers; by default all. */
  readonly locales?: readonly string[];
  /** Whether it covers only some documents. */
  readonly isLimited?: boolean;
}

interface Description {
  readonly user: { readonly id: number; readonly username: string; readonly email: string } | null;
  readonly role: string | null;
  readonly roles: readonly string[];
  readonly locales: { readonly default: string; readonly codes: readonly string[] };
  readonly drafts: "readDraft" | "find";
  readonly actions: readonly string[];
  /** The permissions that the configuration declares, by role. */
  readonly configured: Readonly<Record<string, readonly Configured[]>>;
  readonly contentTypes: readonly ContentType[];
  readonly components: readonly Component[];
}

/** The position of an attribute in the order of the layout. */
const placeIn = ({ fields = [] }: Layout, name: string): number =>
  fields.includes(name) ? fields.indexOf(name) : fields.length;

/**
 * The same, with attributes in the order of the layout that say where they are from, and which of them the layout names
 * as the title.
 */
const marked = <Item extends Pick<Component, "uid" | "panel" | "attributes">>(item: Item): Item => ({
  ...item,
  attributes: Object.fromEntries(
    Object.entries(item.attributes)
      .toSorted(([one], [other]) => placeIn(item.panel, one) - placeIn(item.panel, other))
      .map(([name, attribute]) => [
        name,
        { ...attribute, key: `${item.uid}.${name}`, isTitle: name === item.panel.title },
      ]),
  ),
});

const orderOf = ({ panel: { order = Number.POSITIVE_INFINITY } }: ContentType): number => order;

/** Types with an order first. */
const inOrder = (one: ContentType, other: ContentType): number =>
  orderOf(one) === orderOf(other) ? 0 : orderOf(one) - orderOf(other);

/** A description, with indexes for frequent lookups. */
const indexed = (description: Description) => {
  const actions = new Set(description.actions);
  const { default: usual, codes } = description.locales;
  const configuredFor = (role: string): readonly Configured[] | undefined =>
    Object.hasOwn(description.configured, role) ? description.configured[role] : undefined;
  const own = configuredFor(description.role ?? "") ?? [];
  const canIn = (action: string, locale: string | undefined): boolean => {
    const rules = own.filter((rule) => rule.action === action);
    const covers = ({ locales }: Configured): boolean => locales === undefined || locales.includes(locale ?? "");
    return actions.has(action) && (locale === undefined || rules.length === 0 || rules.some(covers));
  };
  const contentTypes = description.contentTypes.map(marked).sort(inOrder);
  const types = new Map(contentTypes.map((type) => [type.uid, type]));
  const components = new Map(description.components.map((component) => [component.uid, marked(component)]));
  return {
    ...description,
    contentTypes,
    type: (uid: string | undefined) => (uid === undefined ? undefined : types.get(uid)),
    component: (uid: string | undefined) => (uid === undefined ? undefined : components.get(uid)),
    can: (action: string): boolean => actions.has(action),
    /** The permissions that the configuration declares for a role; undefined if it does not name that. */
    configuredFor,
    /** Whether the caller may do an action in a language. */
    canIn,
    /** The language that a type is shown in first: the default, or the first that the caller may write or read. */
    homeLocale: ({ uid }: ContentType): string => {
      const first = (action: string) => [usual, ...codes].find((locale) => canIn(`${uid}.${action}`, locale));
      return first("update") ?? first("find") ?? usual;
    },
  };
};

export type Model = ReturnType<typeof indexed>;

export const ModelContext = createContext<Model | undefined>(undefined);

/** The server's description for the signed-in user. */
export const useModel = (): Model => {
  const model = useContext(ModelContext);
  if (!model) throw new Error("useModel needs a page behind the sign-in");
  return model;
};

/** What the server describes to the signed-in user. */
export const readDescription = async (): Promise<Description> =>
  (await send<{ data: Description }>("GET", "/panel")).data;

export const useDescription = (enabled: boolean) =>
  useQuery({
    queryKey: ["description"],
    queryFn: async () => indexed(await readDescription()),
    enabled,
    staleTime: 60_000,
  });

/** The label of an attribute: by default, `metaTitle` becomes "Meta title". */
export const labelOf = (attributes: Attributes, name: string): string => {
  const label = attributes[name]?.panel?.label;
  if (label !== undefined) return label;
  const words = name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const TITLES = ["title", "name", "label", "headline", "heading", "subject", "question"];

/** The attribute that serves as the title of a document or an entry; undefined if none has text. */
export const mainAttribute = (attributes: Attributes): string | undefined =>
  Object.keys(attributes).find((name) => attributes[name]?.isTitle) ??
  TITLES.find((name) => attributes[name]?.type === "string") ??
  ["string", "text", "email", "uid", "enumeration"]
    .map((type) => Object.entries(attributes).find(([, attribute]) => attribute.type === type)?.[0])
    .find((name) => name !== undefined);

/** The title of a document. */
export const titleOf = (
  attributes: Attributes,
  value: Readonly<Record<string, unknown>> | undefined,
): string | undefined => {
  const name = mainAttribute(attributes);
  const text = name === undefined ? undefined : value?.[name];
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
};

/** Whether a relation leads to several documents. */
export const isToMany = ({ relation = "" }: Attribute): boolean => relation.endsWith("ToMany");

/** Whether the panel shows an attribute. */
export const isShown = ({ panel }: Attribute): boolean => panel?.hidden !== true;

/** Whether the panel can write an attribute; only code can write relations to any type. */
export const isWritten = ({ type, target, writable }: Attribute): boolean =>
  writable !== false && (type !== "relation" || target !== undefined);
