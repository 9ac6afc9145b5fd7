/** The addresses of pages, below the path of the panel. */
import type { ContentType } from "../api/description.ts";

const search = (locale: string | undefined): string => (locale === undefined ? "" : `?locale=${locale}`);

/** The address of a type's page, or that of one of its documents. */
export const hrefOf = (
  { kind, singularName, pluralName }: ContentType,
  document?: { readonly documentId: string; readonly locale?: string | undefined },
): string => {
  const { documentId = "", locale } = document ?? {};
  if (kind === "singleType") return `/single/${singularName}${search(locale)}`;
  return `/content/${pluralName}${documentId === "" ? "" : `/${documentId}`}${search(locale)}`;
};

/** The address of the form for a new document. */
export const newHref = (type: ContentType, locale?: string): string => hrefOf(type, { documentId: "new", locale });
