/** The project's locales: Strapi stores them in its database, and some projects in files as well. */
import { z } from "zod";
import { parseJson } from "../../../base/json.ts";
import { memberAt, textOf } from "../code/value-type.ts";
import type { StrapiProject } from "../project.ts";
import { configFile } from "./files.ts";
import type { Left } from "./reading.ts";
import { quoted, type Setting } from "./setting.ts";

const locale = z.object({ code: z.string().regex(/^[\w-]{2,20}$/) });

const SYNCED = /^config\/sync\/i18n-locale\.[^/]+\.json$/;

/** The locales in files of the plugin that keeps settings in git. */
const synced = ({ files, reader }: StrapiProject): readonly string[] =>
  files
    .filter((file) => SYNCED.test(file))
    .flatMap((file) => {
      const found = locale.safeParse(parseJson(reader.text(file)));
      return found.success ? [found.data.code] : [];
    });

const usesLocales = ({ files, reader }: StrapiProject): boolean =>
  files.some((file) => /\/content-types\/[^/]+\/schema\.json$/.test(file) && reader.text(file).includes('"localized"'));

/** The locales that `config/plugins` names. */
const configured = ({ reader }: StrapiProject): { readonly fallback: string | undefined; codes: readonly string[] } => {
  const config = memberAt(configFile(reader, "plugins")?.value, ["i18n", "config"]);
  const list = memberAt(config, ["locales"]);
  const codes = list?.kind === "list" ? list.items.flatMap((item) => textOf(item) ?? []) : [];
  return { fallback: textOf(memberAt(config, ["defaultLocale"])), codes };
};

/** Sets the locales that project files name; returns what to do if none does. */
export const localeSettings = (project: StrapiProject, settings: Setting[]): readonly Left[] => {
  const named = configured(project);
  const inFiles = synced(project);
  const found = [...inFiles, ...named.codes];
  const fallback = named.fallback ?? (found.includes("en") ? "en" : (found[0] ?? "en"));
  const codes = [...new Set([fallback, ...found])];
  if (found.length === 0) {
    const why = `are in Strapi's database: \`cms import\` of its content lists them in cms.config.ts, beside "${fallback}"`;
    return usesLocales(project) ? [{ at: { file: "src", line: 1 }, name: "locales", why }] : [];
  }
  const from = inFiles.length > 0 ? "config/sync" : "config/plugins i18n";
  settings.push(
    { name: "locales.default", expression: quoted(fallback), from },
    { name: "locales.codes", expression: `[${codes.map(quoted).join(", ")}]`, from },
  );
  return [];
};
