/** Converts all settings of a Strapi project, and lists those that are left. */
import { isLiteral, memberAt, type RecordValue, type Value } from "../code/value-type.ts";
import type { StrapiProject } from "../project.ts";
import { configFile } from "./files.ts";
import { graphqlSettings } from "./graphql.ts";
import { localeSettings } from "./locales.ts";
import { mailSettings } from "./mail.ts";
import { middlewareSettings } from "./middlewares.ts";
import { type Left, type Reading, reading, unreadLine, UNREADABLE } from "./reading.ts";
import { apiSettings, serverSettings } from "./server.ts";
import type { Setting } from "./setting.ts";
import { uploadSettings } from "./upload.ts";
import { usersSettings } from "./users.ts";

/** A name in a configuration that refers to code or a package. */
export interface Named {
  readonly name: string;
  readonly value: Value;
}

export interface Settings {
  readonly settings: readonly Setting[];
  readonly left: readonly Left[];
  /** Enabled middlewares of the project and of plugins. */
  readonly middlewares: readonly Named[];
  /** Named plugins, besides those that are built in here. */
  readonly plugins: readonly Named[];
}

const nowhere = (file: string): RecordValue => ({ kind: "record", members: new Map(), at: { file, line: 1 } });

const recordOf = (value: Value | undefined, file: string): RecordValue =>
  value?.kind === "record" ? value : nowhere(file);

const isOff = (value: Value | undefined): boolean =>
  isLiteral(value, false) || isLiteral(memberAt(value, ["enabled"]), false);

/** Plugin settings that are not a readable object. */
const unread = ({ members, unread: code = [] }: RecordValue, names: readonly string[]): readonly Left[] => [
  ...code.map((each) => unreadLine("config/plugins", each)),
  ...names.flatMap((name) => {
    const value = members.get(name);
    const isRead = value === undefined || value.kind === "record" || value.kind === "literal";
    return isRead ? [] : [{ at: value.at, name, why: UNREADABLE }];
  }),
];

type Reader = (read: Reading) => void;

/** Plugin settings that Strapi itself ignores; reported, as that may be why something never worked. */
const besideConfig = (left: Left): Left => {
  const [, key = ""] = left.name.split(".");
  return ["config", "enabled", "resolve"].includes(key)
    ? left
    : { ...left, why: "had no effect in Strapi either, which reads what stands below `config`", isMinor: true };
};

/** Files that are not an object unless run. */
const unreadable = (project: StrapiProject): readonly Left[] =>
  ["server", "api", "plugins"].flatMap((name) => {
    const found = configFile(project.reader, name);
    if (found === undefined || found.value.kind === "record") return [];
    return [{ at: found.value.at, name: `config/${name}`, why: "could not be read without running it" }];
  });

const plugins = (project: StrapiProject, settings: Setting[]): Pick<Settings, "left" | "plugins"> => {
  const found = configFile(project.reader, "plugins");
  const all = recordOf(found?.value, "config/plugins");
  const known: Record<string, Reader> = {
    "users-permissions": usersSettings,
    upload: uploadSettings,
    email: mailSettings,
  };
  const graphql = all.members.get("graphql");
  const hasGraphql = project.dependencies.has("@strapi/plugin-graphql") || graphql !== undefined;
  if (hasGraphql && !isOff(graphql)) known["graphql"] = (read) => graphqlSettings(read, project.version);
  const left = Object.entries(known).flatMap(([name, read]) => {
    const own = reading(recordOf(all.members.get(name), "config/plugins"), name, settings);
    own.take("enabled");
    read(own);
    return own.left().map(besideConfig);
  });
  return {
    left: [...unread(all, Object.keys(known)), ...left],
    plugins: [...all.members].flatMap(([name, value]) =>
      Object.hasOwn(known, name) || name === "i18n" || isOff(value) ? [] : [{ name, value }],
    ),
  };
};

const USER = "src/extensions/users-permissions/content-types/user/schema.json";

/** The fields that visitors may set when they register, which version 4 did not restrict by default. */
const registration = ({ version, files }: StrapiProject, settings: readonly Setting[]): readonly Left[] => {
  const field = "auth.register.allowedFields";
  if (version !== 4 || !files.includes(USER) || settings.some(({ name }) => name === field)) return [];
  const why = `version 4 took every attribute of users: list those that visitors may set in ${field}`;
  return [{ at: { file: USER, line: 1 }, name: "registration", why }];
};

const isSize = ({ name }: Setting): boolean => name === "media.sizeLimit";

/** The default limit of Strapi's form parser. */
const FORM_BYTES: Setting = {
  name: "media.sizeLimit",
  expression: "209_715_200",
  from: "what Strapi takes unless it is told otherwise",
};

/** The smaller of two file size limits applied. */
const withOneSize = (settings: readonly Setting[]): readonly Setting[] => {
  const sizes = settings.filter(isSize);
  const numbers = sizes.filter(({ expression }) => /^\d+$/.test(expression));
  const [smallest = sizes[0] ?? FORM_BYTES] = numbers.toSorted((a, b) => Number(a.expression) - Number(b.expression));
  return [...settings.filter((setting) => !isSize(setting)), smallest];
};

/** Reads `config/`. The result lists everything left to check; nothing is skipped silently. */
export const readSettings = (project: StrapiProject): Settings => {
  const settings: Setting[] = [];
  const readingOf = (name: string): Reading =>
    reading(recordOf(configFile(project.reader, name)?.value, `config/${name}`), "", settings);
  const [server, api] = [readingOf("server"), readingOf("api")];
  serverSettings(server);
  apiSettings(api, project.version);
  const list = configFile(project.reader, "middlewares");
  const middlewares = list ? middlewareSettings(list.value, settings) : { left: [], others: [] };
  const named = plugins(project, settings);
  const left = [
    ...unreadable(project),
    ...server.left(),
    ...api.left(),
    ...middlewares.left,
    ...named.left,
    ...localeSettings(project, settings),
    ...registration(project, settings),
  ];
  return { settings: withOneSize(settings), left, middlewares: middlewares.others, plugins: named.plugins };
};
