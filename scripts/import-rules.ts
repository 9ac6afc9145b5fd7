import type { IForbiddenRuleType } from "dependency-cruiser";

/** Independent parts of the generator: the commands combine them. */
const apart = (part: string, others: string): IForbiddenRuleType => ({
  name: `${part}-stands-alone`,
  severity: "error",
  from: { path: `^generator/${part}/` },
  to: { path: `^generator/(${others})/` },
});

/** Modules that only the generator needs. */
const generatorOnly =
  "^(generator/(schema|model|attributes|emit|rendered|artifacts|migrate|output)/|templates/|.*node_modules/(ts-morph|handlebars|oxfmt|drizzle-kit|scslre|refa|@eslint-community)/)";

/** Commands with a folder of their own, which nothing else loads; import and export share `archive`. */
const ROOMS = ["import", "export", "compat", "doctor"];

const roomRules = ROOMS.map((room): IForbiddenRuleType => ({
  name: `generator-${room}-is-entered-by-its-command`,
  severity: "error",
  from: { path: "^(generator|runtime)/", pathNot: `^generator/(${room}/|commands/(serving-)?commands\\.ts$)` },
  to: { path: `^generator/${room}/` },
}));

/** The layers of the runtime, bottom first: each imports only from those before it. */
const layers: readonly (readonly string[])[] = [
  ["base"],
  ["search"],
  ["config"],
  ["schema"],
  ["client"],
  ["database"],
  ["access"],
  ["query"],
  ["documents"],
  // Siblings: neither imports the other.
  ["media", "accounts"],
  ["telemetry"],
  ["http"],
  ["graphql"],
  ["openapi"],
  ["history"],
  ["schedules"],
  // Loaded only if a project asks for them.
  ["events", "audit", "sharing", "folders"],
  ["app"],
];

/** The folders that a runtime folder must not import: all but itself and the layers below. */
const layerRules = layers.flatMap((layer, index) =>
  layer.map((folder): IForbiddenRuleType => {
    const allowed = [folder, ...layers.slice(0, index).flat()];
    return {
      name: `runtime-${folder}-imports-only-layers-below`,
      severity: "error",
      from: { path: `^runtime/${folder}/` },
      to: { path: "^runtime/", pathNot: `^runtime/(${allowed.join("|")})/` },
    };
  }),
);

/** The layers of a write, bottom first: each folder of the documents imports only from those before it. */
const steps = ["sql", "body", "links", "plan", "operations"];

const stepRules = steps.slice(0, -1).map((step, index): IForbiddenRuleType => ({
  name: `documents-${step}-imports-only-steps-below`,
  severity: "error",
  from: { path: `^runtime/documents/${step}/` },
  to: { path: `^runtime/documents/(${steps.slice(index + 1).join("|")})/` },
}));

/** The import direction of the repository; see CONTRIBUTING.md. */
export const importRules: IForbiddenRuleType[] = [
  ...layerRules,
  ...stepRules,
  ...roomRules,
  {
    name: "commands-know-the-entries-of-rooms",
    severity: "error",
    from: { path: "^generator/commands/" },
    to: { path: `^generator/(${ROOMS.join("|")}|archive)/`, pathNot: "/command\\.ts$" },
  },
  {
    name: "runtime-files-are-in-layers",
    severity: "error",
    from: { path: "^runtime/", pathNot: `^runtime/(index\\.ts$|(${layers.flat().join("|")})/)` },
    to: {},
  },
  {
    name: "no-circles",
    severity: "error",
    from: { path: "^(runtime|generator|panel|scripts|test/support)/" },
    to: { circular: true },
  },
  {
    name: "runtime-knows-packages-and-itself",
    severity: "error",
    from: { path: "^runtime/" },
    to: { path: "^(generator|templates|generated|content-types|scripts|seed|test)/" },
  },
  {
    name: "a-client-brings-nothing-along-but-types",
    severity: "error",
    from: { path: "^runtime/client/" },
    to: { pathNot: "^runtime/client/", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "runtime-has-no-generator-packages",
    severity: "error",
    from: { path: "^runtime/" },
    to: { path: "node_modules/(ts-morph|handlebars|oxfmt|drizzle-kit|scslre|refa|@eslint-community)/" },
  },
  {
    name: "generated-links-against-the-runtime",
    severity: "error",
    from: { path: "^generated/", pathNot: "^generated/extensions\\.ts$" },
    to: { pathNot: "^(generated/|runtime/|.*node_modules/(drizzle-orm|zod)/)" },
  },
  {
    name: "only-generated-extensions-reach-user-code",
    severity: "error",
    from: { path: "^generated/extensions\\.ts$" },
    to: { pathNot: "^(generated/|runtime/|content-types/)" },
  },
  apart("schema", "model|emit|output|migrate|commands"),
  apart("model", "emit|output|migrate|commands"),
  apart("emit", "schema|output|migrate|commands"),
  apart("output", "schema|model|attributes|emit|migrate|commands"),
  {
    name: "model-does-no-io",
    severity: "error",
    from: { path: "^generator/model/" },
    to: { path: "^(node:)?(fs|fs/promises|child_process|http|net)$" },
  },
  {
    name: "a-build-loads-nothing-that-generates",
    severity: "error",
    from: { path: "^generator/production/" },
    to: {
      path: "^(generator/(build|schema|model|attributes|emit|rendered|artifacts|output)/|templates/|.*node_modules/(ts-morph|handlebars|oxfmt|drizzle-kit|esbuild|chokidar)/)",
      reachable: true,
    },
  },
  {
    name: "start-never-loads-the-generator",
    severity: "error",
    from: { path: "^generator/commands/(start|seed|token|permissions)\\.ts$" },
    to: { path: generatorOnly, reachable: true },
  },
];
