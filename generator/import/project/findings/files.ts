/** Every file of the project that is not taken over as it is, by what it is. */
import { isCommentedOut, isUntouched } from "../../../schema/foreign-code.ts";
import { isBarrel } from "../code/barrel.ts";
import { exportedMembers, membersOf } from "../code/members.ts";
import { isCode, placeOf } from "../code/parse.ts";
import type { StrapiProject } from "../project.ts";
import { isSchemaFile } from "../schemas.ts";
import { type Area, areaOf } from "./areas.ts";
import { callFindings } from "./calls.ts";
import { cronTasks } from "./cron.ts";
import type { Finding } from "./finding.ts";
import { memberFindings } from "./members.ts";
import { routeFindings, scatteredFindings } from "./routes.ts";
import { functionFindings, loadingFindings, startFindings } from "./statements.ts";

/** Files of `config/` that are read as settings. */
const SETTINGS = /^config\/(?:admin|api|database|features|middlewares|plugins|server)\.\w+$/;

/** What a file of the admin panel changes: where it is one object, each of its parts. */
const adminFindings = ({ reader }: StrapiProject, file: string): readonly Finding[] => {
  const members = /\/app\.\w+$/.test(file) ? exportedMembers(reader, file) : [];
  const parts = members.flatMap((member) => (member.name === "config" ? membersOf(reader, member.node) : [member]));
  const found = parts.map(({ name, whole }): Finding => ({ kind: "admin", name, at: placeOf(whole) }));
  return found.length > 0 || members.length > 0
    ? found
    : [{ kind: "admin", name: file.replace(/^.*\//, ""), at: { file, line: 1 } }];
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
        : [{ kind: "extension", name: `${area.owner}: ${area.name}`, at: { file, line: 1 } }];
    case "admin":
      return adminFindings(project, file);
    default:
      return [{ kind: area.kind, name: area.name, at: { file, line: 1 } }];
  }
};

/** What stands in a file wherever it stands: calls that hang something in, routes, and what loading it does. */
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
    return [{ kind: "unread", name: `${area.kind} ${area.name}`, at: { file, line: parsed.line }, note: parsed.fault }];
  const text = project.reader.text(file);
  if (isCommentedOut(text))
    return [
      {
        kind: area.kind,
        name: area.name,
        at: { file, line: 1 },
        note: "all of it is commented out: it did nothing",
        isMinor: true,
      },
    ];
  if (isUntouched(text) || isBarrel(project.reader, file)) return [];
  const hung = scattered(project, file, area.kind);
  const lines = new Set(hung.map(({ at }) => at.line));
  return [
    ...byArea(project, file, area).filter(({ at, kind }) => kind !== "bootstrap" || !lines.has(at.line)),
    ...hung,
  ];
};

/** Files that a new project of Strapi has, too. */
const ORDINARY =
  /^(?:public\/robots\.txt|favicon\.(?:png|ico)|src\/admin\/.*(?:tsconfig|vite\.config|webpack\.config).*)$/;

/** Files that tools write, or that say nothing of what a project does. */
const GENERATED =
  /^src\/extensions\/documentation\/(?:documentation|public)\/|^src\/plugins\/.*\/(?:package(?:-lock)?|tsconfig[^/]*)\.json$/;

const PLUGIN_TYPE = /^src\/plugins\/([^/]+)\/.*\/content-types\/([^/]+)\/schema\.json$/;

const pluginType = (plugin: string, type: string, file: string): Finding => ({
  kind: "plugin",
  name: `the content type ${type} of ${plugin}`,
  at: { file, line: 1 },
  note: "is not taken over, nor is its content: put its schema file below `content-types` to have it here",
});

const otherFinding = (file: string): readonly Finding[] => {
  if (ORDINARY.test(file) || isSchemaFile(file)) return [];
  const at = { file, line: 1 };
  if (file.startsWith("public/")) return [{ kind: "static", name: file.slice("public/".length), at }];
  if (file.endsWith(".patch")) return [{ kind: "module", name: file, at, note: "changes code of a package" }];
  if (/^src\/.*\.(?:graphql|gql)$/.test(file)) return [{ kind: "graphql", name: file, at }];
  if (/^src\/api\/.*\/(?:documentation)\//.test(file)) return [];
  if (file.startsWith("config/sync/") || GENERATED.test(file)) return [];
  const [, plugin, type] = PLUGIN_TYPE.exec(file) ?? [];
  if (plugin !== undefined && type !== undefined) return [pluginType(plugin, type, file)];
  if (/^src\/(?:plugins|extensions)\/[^/]+\/admin\//.test(file))
    return file.endsWith(".json") ? [{ kind: "admin", name: file.replace(/^.*\/admin\//, ""), at }] : [];
  if (/^src\/.*\.(?:json|html|ejs|hbs|mjml|ya?ml|csv|txt)$/.test(file))
    return [{ kind: "module", name: file.replace(/^.*\//, ""), at, note: "is data or a template that code may read" }];
  return [];
};

const TESTS = /^(?:src|config)\/(?:.*\/)?(?:__tests__|__mocks__|tests?)\/|^(?:src|config)\/.*\.(?:test|spec)\.\w+$/;

/** Tests of the project: Strapi does not run them. */
const isTest = (file: string): boolean => isCode(file) && TESTS.test(file);

const testFindings = (files: readonly string[]): readonly Finding[] => {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const name = others.length === 0 ? "a file of tests" : `${files.length} files of tests`;
  return [{ kind: "module", name, at: { file: first, line: 1 }, note: "Strapi does not run them" }];
};

/** Folders beside `src` with code of their own: scripts, tests, seeds. */
const besideFindings = (files: readonly string[]): readonly Finding[] => {
  const known = new Set(["src", "config", "database", "public", "types", "patches"]);
  const folders = files.flatMap((file) => {
    const [folder = "", ...rest] = file.split("/");
    return rest.length > 0 && isCode(file) && !known.has(folder) ? [folder] : [];
  });
  return [...new Set(folders)].map((folder) => ({
    kind: "module",
    name: `${folder}/`,
    at: { file: folder, line: 1 },
    note: "is not part of what Strapi runs by itself",
  }));
};

/** A finding, or several, for each file that holds something of the project's own. */
export const fileFindings = (project: StrapiProject): readonly Finding[] => {
  const tasks = new Set(cronTasks(project).map(({ at }) => at.file));
  const told = (file: string): boolean => file.startsWith("config/") && tasks.has(file);
  return [
    ...project.passedOver.map(({ file, why }): Finding => ({
      kind: "unread",
      name: file,
      at: { file, line: 1 },
      note: why,
    })),
    ...project.files.flatMap((file) =>
      told(file) || isTest(file) ? [] : isCode(file) ? codeFindings(project, file) : otherFinding(file),
    ),
    ...testFindings(project.files.filter(isTest)),
    ...besideFindings(project.files),
  ];
};
