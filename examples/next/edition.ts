import { draftMode } from "next/headers";
import { notFound } from "next/navigation";
import { type Edition, isLocale } from "../magazine/content.ts";

/** What the page of a request shows. An address that begins with no language of the magazine is of no page. */
export const editionOf = async (params: Promise<{ readonly locale: string }>): Promise<Edition> => {
  const { locale } = await params;
  if (!isLocale(locale)) notFound();
  const { isEnabled: preview } = await draftMode();
  return { locale, preview };
};
