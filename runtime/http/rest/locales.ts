/** The route that lists the configured locales. */
import { createHash } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { can, type Router, router } from "./router.ts";

/** The configuration has no dates, so locales show the time when the process started. */
const SINCE = new Date().toISOString();

/** Locales are not documents. Their documentId is derived from their code, so that it is the same on every server. */
const documentIdOf = (code: string): string => `l${createHash("sha256").update(code).digest("hex").slice(0, 23)}`;

const nameOf = (code: string): string => {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
};

/** What `GET /i18n/locales` answers, in the order of the configuration. */
export const describeLocales = ({ locales }: Pick<Config, "locales">) =>
  locales.codes.map((code, index) => ({
    id: index + 1,
    documentId: documentIdOf(code),
    name: `${nameOf(code)} (${code})`,
    code,
    createdAt: SINCE,
    updatedAt: SINCE,
    publishedAt: SINCE,
    isDefault: code === locales.default,
  }));

/** Routes about locales, below the REST prefix. */
export const localeRoutes: Router = router().get("/i18n/locales", can("plugin::i18n.locales.listLocales"), (c) =>
  c.json(describeLocales(c.get("services").config)),
);
