/** The locales of a server. */
import type { DocumentFields } from "../schema/document.ts";
import type { Part } from "./content.ts";
import type { RequestOptions } from "./options.ts";

/** A locale that content may be in. */
export interface Locale extends DocumentFields {
  readonly code: string;
  /** `English (en)`. */
  readonly name: string;
  readonly isDefault: boolean;
}

/** The locales of a server. */
export interface Locales {
  /** All of them. */
  find(options?: RequestOptions): Promise<Locale[]>;
}

/** `/i18n/locales`. */
export const locales =
  (): Part<Locales> =>
  ({ request }) => ({ find: async (options) => request("GET", "/i18n/locales", { options }) });
