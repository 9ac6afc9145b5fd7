/** Which documents are read, depending on which versions they have and how these differ. */
export const publicationFilters = [
  "never-published",
  "has-published-version",
  "modified",
  "unmodified",
  "never-published-document",
  "has-published-version-document",
  "published-without-draft",
  "published-with-draft",
] as const;

/** One of the publication filters that a query may use. */
export type PublicationFilter = (typeof publicationFilters)[number];
