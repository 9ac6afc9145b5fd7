/** The recordings: exchanges with the service whose wire format we speak, as request templates and whole answers. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const corpus = path.join(import.meta.dirname, "corpus");

export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly fixture?: string;
  readonly value?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
}

export interface Step {
  readonly id: string;
  /** Who sends it; the full-access token when undefined. */
  readonly auth?: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly multipart?: readonly Part[];
  /** Variables that later steps use, by the path of their value in the answer. */
  readonly capture?: Readonly<Record<string, string>>;
  /** Milliseconds to wait before. */
  readonly wait?: number;
  /** Why the recorded answer is not to be copied. */
  readonly advisory?: string;
  readonly unordered?: boolean;
  readonly compareBody?: boolean;
  readonly compareHeaders?: readonly string[];
  readonly opts?: { readonly anySize?: boolean };
  readonly response: Answer;
}

/**
 * How the server is configured: `ratelimit` has limits on logging in, which the others would run into; `entity` has the
 * entity format of GraphQL.
 */
export type Mode = "default" | "ratelimit" | "entity";

export interface Scenario {
  readonly name: string;
  readonly area: string;
  readonly mode: Mode;
  readonly recordedAt: string;
  readonly steps: readonly Step[];
}

/** Where we answer better than what was recorded, by `area/name#step`. */
export interface Deviation {
  readonly status?: number;
  /** The answer that is right here; without one, the status alone is compared. */
  readonly body?: unknown;
  /** The recorded answer passes too. */
  readonly orRecorded?: boolean;
  readonly skip?: boolean;
  /** Headers that may differ; everything else is compared. */
  readonly headers?: readonly string[];
  readonly why: string;
}

const readJson = <Value>(...parts: readonly string[]): Value =>
  JSON.parse(readFileSync(path.join(corpus, ...parts), "utf8"), repeated);

/** Long bodies are kept short: `{ "$repeat": ["x", 921600] }`. */
const repeated = (_key: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("$repeat" in value) || !Array.isArray(value.$repeat))
    return value;
  const [text, times]: unknown[] = value.$repeat;
  return String(text).repeat(Number(times));
};

export const deviations = readJson<{ readonly steps: Readonly<Record<string, Deviation>> }>("deviations.json").steps;

export const permissions = readJson<{
  readonly public: readonly string[];
  readonly authenticated: readonly string[];
  readonly customToken: readonly string[];
}>("permissions.json");

/** The names of all areas. */
export const recordedAreas = (): readonly string[] => readdirSync(path.join(corpus, "scenarios"));

/** The scenarios of one area, in the order of their names. */
export const scenariosOf = (area: string): readonly Scenario[] =>
  readdirSync(path.join(corpus, "scenarios", area))
    .toSorted()
    .map((file) => readJson<Scenario>("scenarios", area, file));

export interface DeclaredType {
  readonly singular: string;
  readonly plural: string;
  readonly single: boolean;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
}

interface SchemaFile {
  readonly kind: string;
  readonly info: { readonly singularName: string; readonly pluralName: string };
  readonly options?: { readonly draftAndPublish?: boolean };
  readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } };
}

export const declaredTypes = (): readonly DeclaredType[] =>
  readdirSync(path.join(corpus, "content-types", "api"))
    .toSorted()
    .map((name) => {
      const schema = readJson<SchemaFile>("content-types", "api", name, "content-types", name, "schema.json");
      return {
        singular: schema.info.singularName,
        plural: schema.info.pluralName,
        single: schema.kind === "singleType",
        draftAndPublish: schema.options?.draftAndPublish === true,
        localized: schema.pluginOptions?.i18n?.localized === true,
      };
    });
