/** The `graphql` group of the configuration. */
import type { Plugin } from "@envelop/types";
import { z } from "zod";

/** What the choice of a landing page can depend on. */
export interface LandingPageContext {
  readonly endpoint: string;
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}

/** Answers browsers at the endpoint with the application's own page. */
export type LandingPage = (request: Request) => Response | Promise<Response>;

/**
 * Called when the server starts: `true` chooses the sandbox, `false` no page, a function the application's own page.
 */
export type ChooseLandingPage = (context: LandingPageContext) => boolean | LandingPage;

const isFunction = (value: unknown): boolean => typeof value === "function";
const isPlugin = (value: unknown): boolean => typeof value === "object" && value !== null;

const count = z.number().int().positive();

const landingPage = z.union([z.boolean(), z.custom<ChooseLandingPage>(isFunction)], {
  error: "expected true, false or a function",
});

const server = z
  .strictObject({
    /** Whether clients may read the schema. By default only outside production. */
    introspection: z.boolean().optional(),
    /** Whether errors suggest similar names: "Did you mean …". By default only if introspection is allowed. */
    suggestions: z.boolean().optional(),
    /** Whether parsed and validated operations are cached: the last 1,024 at most, and 32 MB of them. */
    cache: z.boolean().default(true),
    /** Envelop plugins, such as for tracing: their hooks for parsing, validating and executing are called. */
    plugins: z.array(z.custom<Plugin>(isPlugin, { error: "expected a plugin" })).default([]),
  })
  .prefault({});

const persistedOperations = z.strictObject({
  /** The operations by the name (usually a hash) that clients send instead. */
  documents: z.record(z.string(), z.string()),
  /** Whether all other operations are refused. */
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
    /** Whether `extensions.cut` of a response names lists that were truncated at `amountLimit`. */
    tellCut: z.boolean().default(false),
    /** Most aliases in one operation. */
    aliasLimit: count.default(200),
    /** Most tokens in one operation. */
    tokenLimit: count.default(10_000),
    /**
     * When to refuse requests that a foreign page could make a browser send (GET, and forms without a custom header).
     * `cookies`: if the server reads cookies, that is, in refresh mode; or `always`.
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
