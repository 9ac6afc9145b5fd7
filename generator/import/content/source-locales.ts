/** The locales to import content in: those of the configuration, or the source's if it has none. */
import { requiredText, type Session } from "../../../runtime/database/database.ts";
import type { Source } from "./read-archive.ts";
import type { Locales } from "./states.ts";

const CODE = /^[A-Za-z][\w-]{1,19}$/;

/** The locales of the source, default first; undefined if it has none. */
export const sourceLocales = async (session: Session, { configuration }: Source): Promise<Locales | undefined> => {
  const rows = await session.rows(
    "select data::json ->> 'code' from cms_import.contents where type = 'plugin::i18n.locale' order by ref",
  );
  const codes = rows.flatMap(([code]) => (typeof code === "string" && CODE.test(code) ? [requiredText(code)] : []));
  const setting = configuration.find(({ value }) => value["key"] === "plugin_i18n_default_locale")?.value["value"];
  const fallback = codes.find((code) => code === setting) ?? codes[0];
  return fallback === undefined ? undefined : { default: fallback, codes: [...new Set([fallback, ...codes])] };
};
