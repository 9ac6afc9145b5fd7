/**
 * The view models of templates. Texts are source code; those that templates put in quotes are escaped accordingly.
 */
import type { AttributeView } from "../attributes/view.ts";
import type { ComponentNames, ContentTypeNames } from "../model/assign-names.ts";
import type { LayoutView } from "./layout.ts";

interface View {
  /** The file that the header names. */
  readonly source: string;
}

export interface LinkView {
  readonly linkConst: string;
  readonly link: string;
  /** Whether its targets are files. */
  readonly files: boolean;
  readonly morph: boolean;
  readonly inverseOrdered: boolean;
}

/** Shared by all files of a content type. */
interface ContentTypeView extends View, ContentTypeNames {
  readonly uid: string;
  readonly single: boolean;
  readonly draftAndPublish: boolean;
  readonly schedule: boolean;
  /** The option's value; empty if not set. */
  readonly history: string;
  readonly localized: boolean;
  readonly attributes: readonly AttributeView[];
}

/** The full text search configuration of a type; false if it has none. */
interface SearchedView {
  readonly search: { readonly language: string; readonly weights: readonly WeightView[] } | false;
}

/** The weight of an attribute's words. */
export interface WeightView {
  readonly name: string;
  readonly weight: string;
  /** The SQL/JSON paths to its texts; false for a text. */
  readonly paths: readonly string[] | false;
}

export interface SchemaView {
  /** Whether the validation of some attributes depends on others. */
  readonly conditional: boolean;
  readonly attributes: readonly AttributeView[];
  /** "" without drafts. */
  readonly draftConst: string;
  /** The attributes with the constraints of drafts, and those with further constraints once published. */
  readonly drafts: readonly AttributeView[];
  readonly stricter: readonly AttributeView[];
}

export interface ComponentFileView
  extends
    View,
    SchemaView,
    Pick<ComponentNames, "interface" | "typeConst" | "schemaConst" | "entryConst" | "draftEntryConst"> {
  readonly inComponent: true;
  readonly uid: string;
  /** Whether any dynamic zone lists it. */
  readonly inZone: boolean;
  readonly layout: LayoutView;
  /** Components have no table. */
  readonly tableConst: "";
}

export interface GraphqlView extends View, Pick<ContentTypeNames, "interface" | "typeConst" | "graphqlConst"> {
  readonly uid: string;
  /** The GraphQL type. */
  readonly name: string;
  /** The call that declares it, and the option for its descriptor. */
  readonly declare: "contentType" | "component";
  readonly option: "type" | "component";
  readonly fields: readonly AttributeView[];
  readonly reads:
    | { readonly single: boolean; readonly one: string; readonly many: string; readonly connection: boolean }
    | false;
  readonly history: { readonly one: string; readonly deleted: string } | false;
  readonly writes: { readonly single: boolean; readonly schedule: boolean; readonly localization: boolean } | false;
}

interface WithUid {
  readonly uid: string;
}

export interface IndexView {
  readonly graphqlFormat: string;
  /** `draftConst` is "" without drafts, and `routesConst` if the runtime has the routes. */
  readonly contentTypes: readonly (ContentTypeNames & WithUid)[];
  readonly components: readonly (ComponentNames & WithUid)[];
}

export interface ExtensionsView {
  /** The module of `app.ts`; "" if there is none. */
  readonly app: string;
  readonly extensions: readonly { readonly uid: string; readonly name: string; readonly module: string }[];
}

export interface ClientView {
  readonly types: readonly Pick<ContentTypeNames, "folder" | "interface" | "input">[];
  readonly parts: readonly (Pick<ContentTypeView, "uid" | "single" | "draftAndPublish" | "schedule"> & {
    readonly history: boolean;
    readonly name: string;
    readonly path: string;
  })[];
}

/** `files` says whether the other side consists of files; otherwise documents. */
export interface TableRelationsView extends Pick<ContentTypeNames, "tableConst" | "relationsConst"> {
  /** The name of the relation between documents and their versions. */
  readonly versions: string;
  readonly document: string;
  readonly columns: readonly { readonly name: string; readonly member: string; readonly files: boolean }[];
  readonly links: readonly {
    readonly name: string;
    readonly linkConst: string;
    readonly relationsConst: string;
    readonly files: boolean;
  }[];
}

/** By template. */
export interface Views {
  readonly "tables.ts": {
    readonly types: readonly Pick<ContentTypeNames, "folder">[];
    readonly optional: readonly string[];
  };
  readonly "relations.ts": { readonly types: readonly TableRelationsView[] };
  readonly "table.ts": ContentTypeView & SearchedView & { readonly links: readonly LinkView[] };
  /** `hiddenFields` are the system fields that are in no answer. */
  readonly "document.ts": ContentTypeView & { readonly hiddenFields: readonly string[] };
  /** `privateFields` are a list; "" for none. */
  readonly "type.ts": ContentTypeView &
    SearchedView &
    Readonly<Record<"kind" | "singularName" | "pluralName" | "privateFields", string>> & {
      readonly layout: LayoutView;
    };
  readonly "validator.ts": ContentTypeView & SchemaView & { readonly inComponent: false };
  readonly "component.ts": ComponentFileView;
  /** `path` is the first path segment. */
  readonly "rest.ts": Omit<ContentTypeView, "attributes" | "localized" | keyof ContentTypeNames> &
    Pick<ContentTypeNames, "routesConst" | "typeConst"> & { readonly path: string };
  readonly "graphql.ts": GraphqlView;
  readonly "index.ts": IndexView;
  readonly "extensions.ts": ExtensionsView;
  readonly "client.ts": ClientView;
}
