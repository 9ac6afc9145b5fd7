/** Settings that were not imported: without a counterpart, not understood, or specific to one environment. */
import type { StrapiProject } from "../project.ts";
import { configFile } from "../settings/files.ts";
import type { Settings } from "../settings/read.ts";
import { reading } from "../settings/reading.ts";
import { type Finding, finding } from "./finding.ts";

/** Files with settings of the admin panel, or of Strapi's own database handling. */
const ADMIN_DEFAULTS = /^(?:auth\.|apiToken|transfer|secrets|flags|watchIgnoreFiles)/;

const elsewhere = ({ reader }: StrapiProject): readonly Finding[] =>
  (["admin", "features"] as const).flatMap((name) => {
    const found = configFile(reader, name);
    if (found === undefined) return [];
    if (found.value.kind !== "record") return [finding("admin", `config/${name}`, found.value.at)];
    return reading(found.value)
      .left()
      .filter((each) => !ADMIN_DEFAULTS.test(each.name))
      .map((each) => finding("admin", `${name}: ${each.name}`, each.at));
  });

const database = ({ reader }: StrapiProject): readonly Finding[] => {
  const found = configFile(reader, "database");
  if (found === undefined) return [];
  const note = "the new project has a database of its own: PostgreSQL by DATABASE_URL, or the embedded one";
  return [{ ...finding("setting", "the connection to the database", found.file, note), isMinor: true }];
};

const ENVIRONMENT = /^config\/env\/([^/]+)\/([^/]+)\.(?:[cm]?[jt]s|json)$/;

/** Environment-specific settings: here one file applies everywhere, and environment variables override it. */
const environments = ({ files, reader }: StrapiProject): readonly Finding[] =>
  files.flatMap((file): readonly Finding[] => {
    const [, environment = "", name = ""] = ENVIRONMENT.exec(file) ?? [];
    if (name === "") return [];
    const note = `holds in ${environment} only: use a variable of the environment`;
    const found = configFile(reader, name, `config/env/${environment}`);
    if (found?.value.kind !== "record") return [finding("setting", name, file, note)];
    const settings = reading(found.value).left();
    const names = settings.map((each) => each.name).join(", ");
    const at = settings[0]?.at ?? found.value.at;
    return names === "" ? [] : [finding("setting", `${name}: ${names}`, at, note)];
  });

export const settingFindings = (project: StrapiProject, { left, middlewares }: Settings): readonly Finding[] => [
  ...left.map(({ at, name, why, isMinor }): Finding => ({
    ...finding("setting", name, at, why),
    ...(isMinor && { isMinor }),
  })),
  ...middlewares.map(({ name, value }) => finding("middleware", `${name} is switched on`, value.at)),
  ...elsewhere(project),
  ...database(project),
  ...environments(project),
];
