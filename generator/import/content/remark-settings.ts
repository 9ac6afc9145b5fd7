/** Reports settings in an archive: here they belong in `cms.config.ts`, so the user must know of them. */
import type { ConfigurationRecord } from "./records.ts";
import type { Report } from "./report.ts";
import { storableText } from "./storable-text.ts";

/** Strapi settings that matter outside its admin panel, and where they are configured here. */
const MEANING: Readonly<Record<string, string>> = {
  plugin_i18n_default_locale: "the default locale: locales.default in cms.config.ts",
  "plugin_users-permissions_advanced": "registration and confirmation: auth in cms.config.ts",
  "plugin_users-permissions_email": "templates of mails: email in cms.config.ts",
  "plugin_users-permissions_grant": "login providers, with their secrets: auth.providers in cms.config.ts",
  plugin_upload_settings: "sizes of pictures: media in cms.config.ts",
};

/** Adds a remark for each setting, without the value, as some are secret. */
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
