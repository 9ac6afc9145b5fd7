/** The `graphql` group of the configuration. */
import type { Plugin } from "graphql-yoga";
import { z } from "zod";

/** What a landing page may depend on. */
export interface LandingPageContext {
  readonly endpoint: string;
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}

/** Answers browsers at the endpoint with a page of the application's own. */
export type LandingPage = (request: Request) => Response | Promise<Response>;

/** Decides when the server starts: `true` is the sandbox, `false` no page, a function a page of one's own. */
export type ChooseLandingPage = (context: LandingPageContext) => boolean | LandingPage;

const isFunction = (value: unknown): boolean => typeof value === "function";
const isPlugin = (value: unknown): boolean => typeof value === "object" && value !== null;

const count = z.number().int().positive();

const landingPage = z.union([z.boolean(), z.custom<ChooseLandingPage>(isFunction)], {
  error: "expected true, false or a function",
});

const server = z
  .strictObject({
    /** Whether clients may ask about the schema. By default: outside of production. */
    introspection: z.boolean().optional(),
    /** Whether errors name what may have been meant: "Did you mean …". By default: where introspection is allowed. */
    suggestions: z.boolean().optional(),
    /** Whether operations are kept parsed and validated: the last 1,024 of each. */
    cache: z.boolean().default(true),
    /** Envelop plugins, for tracing and the like: their hooks around parsing, validating and executing are called. */
    plugins: z.array(z.custom<Plugin>(isPlugin, { error: "expected a plugin" })).default([]),
  })
  .prefault({});

const persistedOperations = z.strictObject({
  /** Operations by the name (usually a hash) that clients send in their place. */
  documents: z.record(z.string(), z.string()),
  /** Whether everything else is refused. */
  required: z.boolean().default(true),
});

export const graphqlConfig = z
  .strictObject({
    endpoint: z
      .string()
      .regex(/^(?:\/[\w.~-]+)+$/, 'expected a path such as "/graphql"')
      .default("/graphql"),
    format: z.enum(["entity", "flat"]).default("entity"),
    shadowCRUD: z.boolean().default(true),
    depthLimit: count.default(10),
    defaultLimit: count.default(10),
    amountLimit: count.optional(),
    /** Another name for `amountLimit`. */
    maxLimit: count.optional(),
    /** Whether `extensions.cut` of an answer names lists that may go on beyond `amountLimit`. */
    tellCut: z.boolean().default(false),
    /** Most aliases of one operation. */
    aliasLimit: count.default(200),
    /** Most tokens of one operation. */
    tokenLimit: count.default(10_000),
    /**
     * Where requests are refused that a foreign page could make a browser send (GET and forms without a header of their
     * own): `cookies`: where the server reads a cookie, which is in refresh mode; or `always`.
     */
    csrfPrevention: z.enum(["cookies", "always"]).default("cookies"),
    landingPage: landingPage.optional(),
    playgroundAlways: z.boolean().default(false),
    server,
    persistedOperations: persistedOperations.optional(),
    /** Whether `cms generate` writes the schema to `schema.graphql` beside the other generated files. */
    artifacts: z.boolean().default(true),
  })
  .refine(({ amountLimit, maxLimit }) => amountLimit === undefined || maxLimit === undefined, {
    error: "is another name for amountLimit: give one of the two",
    path: ["maxLimit"],
  })
  .transform(({ amountLimit, maxLimit, ...rest }) => ({ ...rest, amountLimit: amountLimit ?? maxLimit ?? 100 }))
  .prefault({});
