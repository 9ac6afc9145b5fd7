/** The extension service: what `register` of `content-types/app.ts` may change about the GraphQL schema. */
import type { GraphQLFieldResolver } from "graphql";
import type { ContentTypes } from "../../content-type.ts";
import type { Builder } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { ResolverConfig } from "./resolver-config.ts";
import { type Action, ShadowCrud, type TypeHandle } from "./shadow-crud.ts";

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** Additions to the schema. */
export interface SchemaExtension {
  /** Types and fields made with the schema builder; the calls that made them have registered them already. */
  readonly types?: readonly unknown[];
  /** Types and fields in the schema definition language; `extend type Query { … }` adds queries. */
  readonly typeDefs?: string;
  /** Names of plugins of the schema builder, whose packages the application has imported. */
  readonly plugins?: readonly string[];
  /** Resolvers by type and field. They replace generated ones of the same place. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, Resolver | { readonly resolve: Resolver }>>>>;
  /** By `Type.field`. What is said first wins, and what is said here wins over what was generated. */
  readonly resolversConfig?: Readonly<Record<string, ResolverConfig>>;
}

export type SchemaExtensionFunction = (tools: { readonly builder: Builder }) => SchemaExtension;

/** Names of the attributes of a content type, and of the fields that the system adds. */
type FieldOf<Uid extends keyof ContentTypes> = Extract<
  Exclude<keyof ContentTypes[Uid], "id"> | "createdAt" | "updatedAt" | "publishedAt",
  string
>;

/** What `register` gets as `graphql`: changes to the schema before it is built. */
export class GraphqlExtension {
  readonly shadow = new ShadowCrud();
  readonly #extensions: SchemaExtensionFunction[] = [];

  /** The handle on a content type, to switch off parts of what is generated for it. */
  shadowCRUD<Uid extends keyof ContentTypes & string>(uid: Uid): TypeHandle<FieldOf<Uid>, Action> {
    return this.shadow.type(uid);
  }

  /** Adds to the schema; may be called many times, and is merged in the order of the calls. */
  use(extension: SchemaExtension | SchemaExtensionFunction): this {
    this.#extensions.push(typeof extension === "function" ? extension : () => extension);
    return this;
  }

  /** Everything that was added, made with the builder of one schema. */
  applied(builder: Builder): readonly SchemaExtension[] {
    return this.#extensions.map((extension) => extension({ builder }));
  }
}
