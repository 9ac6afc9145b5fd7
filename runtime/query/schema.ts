/** The names that queries may use: the attributes and system fields of every type and component. */
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type FieldLists, isListed } from "../access/field-lists.ts";
import type { Config } from "../config/config.ts";
import type {
  Attribute,
  Component,
  ComponentUid,
  ContentType,
  Field,
  MediaAttribute,
  MediaField,
  RelationAttribute,
  RelationField,
  ScalarType,
  Uid,
} from "../schema/content-type.ts";
import { leadsToMany } from "../schema/field.ts";
import { fileType } from "../schema/file-type.ts";
import type { Registry } from "../schema/registry.ts";
import { files } from "../schema/tables/files.ts";
import { isUid } from "../schema/uid.ts";
import type { AnyStatus, Condition } from "./query.ts";

interface Named {
  readonly name: string;
  /** Whether `_q` may search it. */
  readonly searchable?: boolean;
  /** Private, a password, or a system field that the type does not have. Queries that use such a name get an error. */
  readonly hidden: boolean;
  /** Private, in a schema for code that may name it: shown only if the query names it. */
  readonly secret?: boolean;
  /** Whether an index for full-text search has its words. */
  readonly indexed?: boolean;
}

/** A system field or a scalar attribute. `column` is missing inside components. */
export interface ScalarMember extends Named {
  readonly kind: "scalar";
  readonly type: ScalarType;
  readonly column: AnyPgColumn | undefined;
}

/** The other locales of the same document. */
export interface LocalizationsSource {
  readonly type: "localizations";
}

/** A member that leads to documents or files; `target` is missing if they may be of any type. */
export interface RelationMember extends Named {
  readonly kind: "relation";
  readonly source: RelationAttribute | RelationField | MediaAttribute | MediaField | LocalizationsSource;
  readonly target: Uid | undefined;
  readonly many: boolean;
  readonly media: boolean;
}

export interface ComponentMember extends Named {
  readonly kind: "component";
  readonly component: ComponentUid;
  readonly repeatable: boolean;
  readonly column: AnyPgColumn | undefined;
  /** Whether an index answers filters on the entries. */
  readonly index: boolean;
}

export interface ZoneMember extends Named {
  readonly kind: "zone";
  readonly components: readonly ComponentUid[];
  readonly column: AnyPgColumn | undefined;
  readonly index: boolean;
}

/** `createdBy` and `updatedBy`, and the folders of files: no type has them, and queries that name them are refused. */
interface AbsentMember extends Named {
  readonly kind: "absent";
}

export type Member = ScalarMember | RelationMember | ComponentMember | ZoneMember | AbsentMember;

/** A content type or component, as queries see it. */
export interface Owner {
  readonly uid: Uid | ComponentUid;
  /** Undefined for a component. */
  readonly type: ContentType | undefined;
  /** The members in response order: id, documentId, attributes, timestamps, locale. */
  readonly members: ReadonlyMap<string, Member>;
}

export interface TypeOwner extends Owner {
  readonly uid: Uid;
  readonly type: ContentType;
}

const member = (name: string, attribute: Attribute | Field, hidden: boolean): Member => {
  const column = "column" in attribute ? attribute.column : undefined;
  const index = "index" in attribute && attribute.index === true;
  const stored = { name, hidden, column, index, searchable: attribute.searchable !== false };
  switch (attribute.type) {
    case "relation": {
      const target = "target" in attribute ? attribute.target : undefined;
      const many = leadsToMany(attribute.relation);
      return { kind: "relation", name, hidden, source: attribute, target, many, media: false };
    }
    case "media": {
      const many = attribute.multiple === true;
      const searchable = attribute.searched === true;
      return { kind: "relation", name, hidden, source: attribute, target: fileType.uid, many, media: true, searchable };
    }
    case "component":
      return {
        ...stored,
        kind: "component",
        component: attribute.component,
        repeatable: attribute.repeatable === true,
      };
    case "dynamiczone":
      return { ...stored, kind: "zone", components: attribute.components };
    default:
      return { ...stored, kind: "scalar", type: attribute.type };
  }
};

const system = (
  name: string,
  type: ScalarType,
  column: AnyPgColumn | undefined,
  hidden: boolean,
  searchable = false,
): ScalarMember => ({ kind: "scalar", name, hidden, type, column, searchable });

/** The readable rows of each type. */
export interface LimitedRows {
  /** The condition for rows of a type; undefined if all of them may be read. */
  of(uid: Uid, status: AnyStatus): Condition | undefined;
  /** Resolves the conditions. Rows that they lead to need not be readable. */
  readonly schema: Schema;
}

/** Who a {@link Schema} is for. */
export interface SchemaOptions {
  readonly lists?: FieldLists;
  readonly reveals?: boolean;
  readonly rows?: LimitedRows | undefined;
}

/** Looks up types and components by uid. Built once per server and view. */
export class Schema {
  readonly #registry: Registry;
  readonly #hiddenNames: ReadonlySet<string>;
  readonly #lists: FieldLists | undefined;
  readonly #reveals: boolean;
  /** The rows that may be read; undefined for all. */
  readonly rows: LimitedRows | undefined;
  readonly #types = new Map<Uid, TypeOwner>();
  readonly #components = new Map<ComponentUid, Owner>();

  /**
   * `lists` restricts the visible attributes of a type; others are hidden. With `reveals`, the schema is for code with
   * all rights: it may name private attributes, except passwords. `rows` restricts the visible rows.
   */
  constructor(registry: Registry, config: Config, { lists, reveals = false, rows }: SchemaOptions = {}) {
    this.rows = rows;
    this.#registry = registry;
    this.#lists = lists;
    this.#reveals = reveals;
    this.#hiddenNames = new Set(config.rest.privateAttributes);
  }

  /** Every declared content type, in the order of declaration. */
  get types(): readonly TypeOwner[] {
    return Object.values(this.#registry.contentTypes).map((module) => this.type(module.type.uid));
  }

  /** Whether a content type or component of this uid is declared. */
  has(uid: string): boolean {
    const { contentTypes, components } = this.#registry;
    return Object.hasOwn(contentTypes, uid) || Object.hasOwn(components, uid);
  }

  /** The content type or component with this uid. */
  owner(uid: Uid | ComponentUid): Owner {
    return isUid(uid) ? this.type(uid) : this.component(uid);
  }

  type(uid: Uid): TypeOwner {
    let owner = this.#types.get(uid);
    if (owner === undefined) {
      owner = this.#ofType(uid === fileType.uid ? fileType : this.#registry.contentType(uid));
      this.#types.set(uid, owner);
    }
    return owner;
  }

  component(uid: ComponentUid): Owner {
    let owner = this.#components.get(uid);
    if (owner === undefined) {
      owner = this.#ofComponent(this.#registry.component(uid));
      this.#components.set(uid, owner);
    }
    return owner;
  }

  /** The member for an attribute; `isPrivate` if it is private for another reason than its declaration. */
  #memberOf(name: string, attribute: Attribute | Field, isPrivate: boolean): Member {
    const secret = isPrivate || attribute.private === true || this.#hiddenNames.has(name);
    const hidden = attribute.type === "password" || (secret && !this.#reveals);
    const indexed = attribute.private !== true && attribute.type !== "password" && attribute.searchable !== false;
    return { ...member(name, attribute, hidden), secret, indexed };
  }

  #ofComponent(component: Component): Owner {
    const members = new Map<string, Member>([["id", system("id", "integer", undefined, this.#hiddenNames.has("id"))]]);
    const attributes: Readonly<Record<string, Field>> = component.attributes;
    for (const [name, field] of Object.entries(attributes)) {
      members.set(name, this.#memberOf(name, field, false));
    }
    return { uid: component.uid, type: undefined, members };
  }

  #ofType(type: ContentType): TypeOwner {
    const { table } = type;
    const hides = (name: string): boolean =>
      this.#hiddenNames.has(name) || (type.privateFields?.includes(name) ?? false);
    const members = new Map<string, Member>();
    const add = (item: Member): void => void members.set(item.name, item);
    add(system("id", "integer", table.id, hides("id"), true));
    add(system("documentId", "string", table.documentId, hides("documentId"), true));
    const attributes: Readonly<Record<string, Attribute>> = type.attributes;
    for (const [name, attribute] of Object.entries(attributes)) {
      add(this.#memberOf(name, attribute, hides(name) || !isListed(this.#lists, type.uid, name, "read")));
    }
    add(system("createdAt", "datetime", table.createdAt, hides("createdAt")));
    add(system("updatedAt", "datetime", table.updatedAt, hides("updatedAt")));
    add(system("publishedAt", "datetime", table.publishedAt, hides("publishedAt")));
    add(system("locale", "string", table.locale, !type.localized || hides("locale"), true));
    add({
      kind: "relation",
      name: "localizations",
      hidden: !type.localized || hides("localizations"),
      source: { type: "localizations" },
      target: type.uid,
      many: true,
      media: false,
    });
    const absent = [
      "createdBy",
      "updatedBy",
      ...(type.uid === fileType.uid ? ["folder", "folderPath", "related"] : []),
    ];
    for (const name of absent) add({ kind: "absent", name, hidden: name !== "related" });
    if (this.#reveals && type.uid === fileType.uid)
      add({ ...system("folderPath", "string", files.folderPath, false), secret: true });
    return { uid: type.uid, type, members };
  }
}
