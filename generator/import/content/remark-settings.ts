/** Settings that an archive brings: they are in `cms.config.ts` here, so that whoever imports is told of them. */
import type { ConfigurationRecord } from "./records.ts";
import type { Report } from "./report.ts";
import { storableText } from "./storable-text.ts";

/** What is kept in a setting of Strapi's that matters outside of its admin panel, and where it is here. */
const MEANING: Readonly<Record<string, string>> = {
  plugin_i18n_default_locale: "the default locale: locales.default in cms.config.ts",
  "plugin_users-permissions_advanced": "registration and confirmation: auth in cms.config.ts",
  "plugin_users-permissions_email": "templates of mails: email in cms.config.ts",
  "plugin_users-permissions_grant": "login providers, with their secrets: auth.providers in cms.config.ts",
  plugin_upload_settings: "sizes of pictures: media in cms.config.ts",
};

/** Adds a remark for each setting; values stay away, because some are secret. */
export const remarkSettings = (report: Report, configuration: readonly ConfigurationRecord[]): void => {
  for (const { type, value } of configuration) {
    if (type === "webhook") {
      const webhook = `webhook ${storableText(String(value["name"]))}`;
      report.add({
        weight: "lost",
        type: webhook,
        reason: "is not imported: list it in events.webhooks of cms.config.ts (docs/run/events.md)",
      });
      continue;
    }
    const name = value["key"];
    const meaning = typeof name === "string" ? MEANING[name] : undefined;
    if (typeof name !== "string" || meaning === undefined) continue;
    report.add({ weight: "kept", type: name, reason: `is a setting here: ${meaning}` });
  }
};
