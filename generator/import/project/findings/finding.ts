/** Something in the project that is not imported: what it is, where it is, and its counterpart here. */
import type { Place } from "../code/parse.ts";

export type FindingKind = keyof typeof kinds;

export interface Finding {
  readonly kind: FindingKind;
  /** Such as `beforeCreate of api::article.article`. */
  readonly name: string;
  readonly at: Place;
  /** Set if the file contains several findings of the same kind. */
  readonly otherLines?: readonly number[];
  /** Notes on this finding. */
  readonly note?: string;
  /** The file with a starter for it. */
  readonly starter?: string;
  /** Whether users of the site would not notice its absence. */
  readonly isMinor?: boolean;
}

/** A finding at a place, or in a file as a whole. */
export const finding = (
  kind: FindingKind,
  name: string,
  at: Place | string,
  ...notes: readonly (string | undefined)[]
): Finding => {
  const note = notes.filter((each) => each !== undefined && each !== "").join("; ");
  const place = typeof at === "string" ? { file: at, line: 1 } : at;
  return { kind, name, at: place, ...(note !== "" && { note }) };
};

const CHANGES = "build/extensions.md#policies-middlewares-handlers-and-default-queries";
const STARTING = "build/extensions.md#starting-and-ending";

/** By kind: the group's name, its counterpart here, and the page that explains it. */
export const kinds = {
  schema: {
    title: "Faults that stop cms generate",
    here: "the file, which you mend",
    page: "reference/diagnostics.md",
  },
  lifecycle: { title: "Lifecycles", here: "`hooks` of `extension.ts`", page: "build/extensions.md#hooks" },
  documents: {
    title: "Document service middlewares",
    here: "`hooks` of `extension.ts`",
    page: "build/extensions.md#hooks",
  },
  controller: {
    title: "Controllers",
    here: "`rest.queries` and `rest.handlers` for generated routes, `routes(router)` for others",
    page: CHANGES,
  },
  service: {
    title: "Services",
    here: "functions in modules of yours, or `services` of `app.ts`",
    page: "build/extensions.md#services-and-health-checks-of-ones-own",
  },
  policy: { title: "Policies", here: "`rest.policies` of `extension.ts`", page: CHANGES },
  middleware: { title: "Middlewares", here: "`rest.middlewares` of `extension.ts` or `app.ts`", page: CHANGES },
  route: { title: "Routes", here: "`routes(router)` of `extension.ts`", page: "build/extensions.md#routes" },
  cron: { title: "Cron tasks", here: "`tasks` of `app.ts`", page: "build/extensions.md#tasks" },
  bootstrap: { title: "What runs at the start", here: "`bootstrap` and `destroy` of `app.ts`", page: STARTING },
  graphql: { title: "GraphQL", here: "`register` of `app.ts`", page: "build/graphql.md#changing-the-schema" },
  plugin: {
    title: "Plugins",
    here: "nothing, or code in `extension.ts` and `app.ts`",
    page: "learn/from-strapi.md#what-is-not-there",
  },
  extension: { title: "Extensions of plugins", here: "`extension.ts` and `app.ts`", page: "build/extensions.md" },
  customField: {
    title: "Custom fields",
    here: "`customFields` of `cms.config.ts`",
    page: "reference/configuration.md#customfields",
  },
  admin: { title: "The admin panel", here: "nothing: there is none", page: "learn/from-strapi.md#what-is-not-there" },
  setting: { title: "Settings", here: "`cms.config.ts`", page: "reference/configuration.md" },
  database: { title: "Migrations of the database", here: "`cms migrate`", page: "build/migrations.md" },
  module: { title: "Other code", here: "modules that extensions import", page: "build/extensions.md" },
  static: { title: "Static files", here: "nothing: a web server in front", page: "run/deployment.md" },
  unread: { title: "Not read", here: "", page: "learn/from-strapi.md" },
} as const;

/** The order of the groups: what users of the site notice first comes first. */
export const kindOrder: readonly FindingKind[] = [
  "schema",
  "unread",
  "policy",
  "controller",
  "route",
  "middleware",
  "extension",
  "lifecycle",
  "documents",
  "setting",
  "plugin",
  "graphql",
  "customField",
  "cron",
  "bootstrap",
  "service",
  "module",
  "database",
  "static",
  "admin",
];

/** Groups that users of the site would not notice, or that other groups call. */
const MINOR_KINDS: ReadonlySet<FindingKind> = new Set(["service", "module", "database", "static", "admin"]);

/** Whether it needs no decision before the site can be used. */
export const isMinor = (finding: Finding): boolean => finding.isMinor ?? MINOR_KINDS.has(finding.kind);
