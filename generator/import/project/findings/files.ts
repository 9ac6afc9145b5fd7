/** Every file of the project that is not imported unchanged, by kind. */
import { isCommentedOut, isUntouched } from "../../../schema/foreign-code.ts";
import { isBarrel } from "../code/barrel.ts";
import { exportedMembers, membersOf } from "../code/members.ts";
import { isCode, placeOf } from "../code/parse.ts";
import type { StrapiProject } from "../project.ts";
import { isSchemaFile } from "../schemas.ts";
import { type Area, areaOf } from "./areas.ts";
import { callFindings } from "./calls.ts";
import { cronTasks } from "./cron.ts";
import { type Finding, finding, type FindingKind } from "./finding.ts";
import { memberFindings } from "./members.ts";
import { routeFindings, scatteredFindings } from "./routes.ts";
import { functionFindings, loadingFindings, startFindings } from "./statements.ts";

/** Files of `config/` that are read as settings. */
const SETTINGS = /^config\/(?:admin|api|database|features|middlewares|plugins|server)\.\w+$/;

/** What a file of the admin panel customizes: for a single object, each of its members. */
const adminFindings = ({ reader }: StrapiProject, file: string): readonly Finding[] => {
  const members = /\/app\.\w+$/.test(file) ? exportedMembers(reader, file) : [];
  const parts = members.flatMap((member) => (member.name === "config" ? membersOf(reader, member.node) : [member]));
  const found = parts.map(({ name, whole }) => finding("admin", name, placeOf(whole)));
  return found.length > 0 || members.length > 0 ? found : [finding("admin", file.replace(/^.*\//, ""), file)];
};

const byArea = (project: StrapiProject, file: string, area: Area): readonly Finding[] => {
  const { reader } = project;
  switch (area.kind) {
    case "lifecycle":
    case "controller":
    case "service":
    case "policy":
    case "middleware":
      return memberFindings(reader, file, area);
    case "route":
      return routeFindings(reader, file, area);
    case "bootstrap":
      return area.owner === "global::"
        ? startFindings(reader, file)
        : functionFindings(reader, file, "bootstrap", `${area.name} of ${area.owner}`);
    case "extension":
      return /\/strapi-server\.\w+$/.test(file)
        ? functionFindings(reader, file, "extension", area.owner)
        : [finding("extension", `${area.owner}: ${area.name}`, file)];
    case "admin":
      return adminFindings(project, file);
    default:
      return [finding(area.kind, area.name, file)];
  }
};

/** Findings in any file: calls that register something, routes, and side effects of loading. */
const scattered = ({ reader }: StrapiProject, file: string, kind: Area["kind"]): readonly Finding[] => {
  if (kind === "admin") return [];
  const calls = callFindings(reader, file);
  const routes = kind === "route" ? [] : scatteredFindings(reader, file);
  const lines = new Set(calls.map(({ at }) => at.line));
  return [...calls, ...routes, ...loadingFindings(reader, file).filter(({ at }) => !lines.has(at.line))];
};

const codeFindings = (project: StrapiProject, file: string): readonly Finding[] => {
  const area = areaOf(file);
  if (area === undefined || SETTINGS.test(file) || file.startsWith("config/env/")) return [];
  const parsed = project.reader.parse(file);
  if (!("source" in parsed))
    return [finding("unread", `${area.kind} ${area.name}`, { file, line: parsed.line }, parsed.fault)];
  const text = project.reader.text(file);
  if (isCommentedOut(text))
    return [{ ...finding(area.kind, area.name, file, "all of it is commented out: it did nothing"), isMinor: true }];
  if (isUntouched(text) || isBarrel(project.reader, file)) return [];
  const hung = scattered(project, file, area.kind);
  const lines = new Set(hung.map(({ at }) => at.line));
  return [
    ...byArea(project, file, area).filter(({ at, kind }) => kind !== "bootstrap" || !lines.has(at.line)),
    ...hung,
  ];
};

/** Files that a new Strapi project also has. */
const ORDINARY =
  /^(?:public\/robots\.txt|favicon\.(?:png|ico)|src\/admin\/.*(?:tsconfig|vite\.config|webpack\.config).*)$/;

/** Files written by tools, or irrelevant to what a project does. */
const GENERATED =
  /^src\/extensions\/documentation\/(?:documentation|public)\/|^src\/plugins\/.*\/(?:package(?:-lock)?|tsconfig[^/]*)\.json$/;

const PLUGIN_TYPE = /^src\/plugins\/([^/]+)\/.*\/content-types\/([^/]+)\/schema\.json$/;

const NOT_TAKEN = "is not taken over, nor is its content: put its schema file below `content-types` to have it here";

/** Files without code: the first matching pattern classifies them by its groups; those without a kind are ignored. */
const others: readonly (readonly [pattern: RegExp, kind?: FindingKind, note?: string])[] = [
  [ORDINARY],
  [/^public\/(.*)/, "static"],
  [/^(.*\.patch)$/, "module", "changes code of a package"],
  [/^(src\/.*\.(?:graphql|gql))$/, "graphql"],
  [/^src\/api\/.*\/documentation\/|^config\/sync\//],
  [GENERATED],
  [PLUGIN_TYPE, "plugin", NOT_TAKEN],
  [/^src\/(?:plugins|extensions)\/[^/]+\/admin\/(.*\.json)$/, "admin"],
  [/^src\/(?:plugins|extensions)\/[^/]+\/admin\//],
  [/^src\/.*?([^/]+\.(?:json|html|ejs|hbs|mjml|ya?ml|csv|txt))$/, "module", "is data or a template that code may read"],
];

const otherFinding = (file: string): readonly Finding[] => {
  const [pattern, kind, note] = isSchemaFile(file) ? [] : (others.find(([each]) => each.test(file)) ?? []);
  if (pattern === undefined || kind === undefined) return [];
  const [, first = "", second] = pattern.exec(file) ?? [];
  return [finding(kind, second === undefined ? first : `the content type ${second} of ${first}`, file, note)];
};

const TESTS = /^(?:src|config)\/(?:.*\/)?(?:__tests__|__mocks__|tests?)\/|^(?:src|config)\/.*\.(?:test|spec)\.\w+$/;

/** Tests of the project: Strapi does not run them. */
const isTest = (file: string): boolean => isCode(file) && TESTS.test(file);

const testFindings = (files: readonly string[]): readonly Finding[] => {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const name = others.length === 0 ? "a file of tests" : `${files.length} files of tests`;
  return [finding("module", name, first, "Strapi does not run them")];
};

/** Folders beside `src` with code of their own: scripts, tests, seeds. */
const besideFindings = (files: readonly string[]): readonly Finding[] => {
  const known = new Set(["src", "config", "database", "public", "types", "patches"]);
  const folders = files.flatMap((file) => {
    const [folder = "", ...rest] = file.split("/");
    return rest.length > 0 && isCode(file) && !known.has(folder) ? [folder] : [];
  });
  return [...new Set(folders)].map((folder) =>
    finding("module", `${folder}/`, folder, "is not part of what Strapi runs by itself"),
  );
};

/** One or more findings for each file with code of the project's own. */
export const fileFindings = (project: StrapiProject): readonly Finding[] => {
  const tasks = new Set(cronTasks(project).map(({ at }) => at.file));
  const told = (file: string): boolean => file.startsWith("config/") && tasks.has(file);
  return [
    ...project.passedOver.map(({ file, why }) => finding("unread", file, file, why)),
    ...project.files.flatMap((file) =>
      told(file) || isTest(file) ? [] : isCode(file) ? codeFindings(project, file) : otherFinding(file),
    ),
    ...testFindings(project.files.filter(isTest)),
    ...besideFindings(project.files),
  ];
};
