import type { AstroGlobal } from "astro";
import { type Edition, isLocale } from "../../magazine/content.ts";
import { isPreviewSecret } from "../../magazine/settings.ts";

/** What the page of a request shows; undefined where its address begins with no language of the magazine. */
export const editionOf = ({ params, cookies }: Pick<AstroGlobal, "params" | "cookies">): Edition | undefined => {
  const { locale } = params;
  const word = cookies.get("preview")?.value;
  return isLocale(locale) ? { locale, preview: word !== undefined && isPreviewSecret(word) } : undefined;
};
