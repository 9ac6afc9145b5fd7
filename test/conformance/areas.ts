/** The areas of the corpus that pass; the others are not replayed yet. */
export const areas: readonly string[] = [
  "graphql-v5",
  "http",
  "rate-limit",
  "rest-auth",
  "rest-components",
  "rest-crud",
  "rest-draft-publish",
  "rest-dynamiczone",
  "rest-errors",
  "rest-i18n-locales",
  "rest-locale",
  "rest-partial-update",
  "rest-relations",
  "rest-single-type",
  "rest-tokens",
  "rest-validation",
];
