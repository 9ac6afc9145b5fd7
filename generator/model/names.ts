/** Derives names from names: pure functions over text that know of no other names. */

/** Runs of capitals, capitalized or lower-case words, and numbers; anything between them separates. */
const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

const words = (name: string): string[] => name.match(WORDS) ?? [];

/** `UpperFirst`. */
export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `lowerFirst`. */
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** `blog-post` -> `blogPost`, `page404` -> `page404`, `h1-title` -> `h1Title`. */
export const camelCase = (name: string): string =>
  lowerFirst(
    words(name)
      .map((word) => upperFirst(word.toLowerCase()))
      .join(""),
  );

/** `blog-post` -> `BlogPost`. */
export const pascalCase = (name: string): string => upperFirst(camelCase(name));

/** `metaTitle` -> `meta_title`, `SEOText` -> `seo_text`; digits stay with the word before them: `line2` -> `line2`. */
export const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();

const RESERVED_WORDS = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** True if `name` is not a valid constant name. */
export const isReservedWord = (name: string): boolean => RESERVED_WORDS.has(name);

/** The parts of a uid: `api::article.article` has the owner `article`, an API. */
export const parseUid = (uid: string): { readonly plugin: boolean; readonly owner: string; readonly name: string } => {
  const [scope = "", rest = ""] = uid.split("::");
  const [owner = "", name = ""] = rest.split(".");
  return { plugin: scope === "plugin", owner, name };
};

/** Whether it is a valid GraphQL name. */
const GRAPHQL_NAME = /^[_A-Za-z][_0-9A-Za-z]*$/;
export const isGraphqlName = (name: string): boolean => GRAPHQL_NAME.test(name);

/** The GraphQL type of an enumeration without `enumName`; `owner` is the GraphQL type with the attribute. */
export const derivedEnumName = (owner: string, attribute: string): string => `ENUM_${owner}_${attribute}`.toUpperCase();
