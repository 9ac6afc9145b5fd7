/** The extension service: what `register` of `content-types/app.ts` may change about the GraphQL schema. */
import type { GraphQLFieldResolver } from "graphql";
import type { ContentType, File } from "../../schema/content-type.ts";
import type { DocumentOf, KnownUid } from "../../schema/document.ts";
import { fileType } from "../../schema/file-type.ts";
import type { OwnBuilder } from "../builder.ts";
import type { ResolverContext } from "../context.ts";
import type { ResolverConfig } from "./resolver-config.ts";
import { type Action, checkKnown, ShadowCrud, SYSTEM_FIELDS, type TypeHandle } from "./shadow-crud.ts";

type Resolver = GraphQLFieldResolver<unknown, ResolverContext>;

/** Additions to the schema. */
export interface SchemaExtension {
  /** Types and fields made with the schema builder; the builder calls have already registered them. */
  readonly types?: readonly unknown[];
  /** Types and fields in the schema definition language; `extend type Query { … }` adds queries. */
  readonly typeDefs?: string;
  /** Names of Pothos plugins whose packages the application imports. */
  readonly plugins?: readonly string[];
  /** Resolvers by type and field. They replace the generated ones. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, Resolver | { readonly resolve: Resolver }>>>>;
  /** By `Type.field`. The first entry for a field wins, and overrides what was generated. */
  readonly resolversConfig?: Readonly<Record<string, ResolverConfig>>;
}

/** What code that adds types is given. The builder knows the generated declarations by name. */
export interface SchemaTools {
  readonly builder: OwnBuilder;
}

export type SchemaExtensionFunction = (tools: SchemaTools) => SchemaExtension;

/** Uids of content types, and of files. */
type ShadowUid = KnownUid | "plugin::upload.file";

type ShapeOf<Uid extends ShadowUid> = Uid extends KnownUid ? DocumentOf<Uid> : File;

/** Names of a content type's attributes, and of the fields that the system adds. */
type FieldOf<Uid extends ShadowUid> = Extract<
  Exclude<keyof ShapeOf<Uid>, "id"> | "createdAt" | "updatedAt" | "publishedAt",
  string
>;

const fieldNames = ({ attributes }: ContentType): ReadonlySet<string> =>
  new Set([...Object.keys(attributes), ...SYSTEM_FIELDS]);

/** The extension service of one schema. */
export class GraphqlExtension {
  readonly shadow: ShadowCrud;
  readonly #extensions: SchemaExtensionFunction[] = [];

  /** @param types the generated content types */
  constructor(types: readonly ContentType[]) {
    this.shadow = new ShadowCrud(new Map([...types, fileType].map((each) => [each.uid, fieldNames(each)])));
  }

  /** The handle on a content type, to switch off parts of what is generated for it. */
  shadowCRUD<Uid extends ShadowUid>(uid: Uid): TypeHandle<FieldOf<Uid>, Action> {
    checkKnown("content type", uid, this.shadow.uids);
    return this.shadow.type(uid);
  }

  /** Extends the schema. May be called many times; extensions are merged in the order of the calls. */
  use(extension: SchemaExtension | SchemaExtensionFunction): this {
    this.#extensions.push(typeof extension === "function" ? extension : () => extension);
    return this;
  }

  /** All extensions, evaluated with the tools of one schema. */
  applied(tools: SchemaTools): readonly SchemaExtension[] {
    return this.#extensions.map((extension) => extension(tools));
  }
}
