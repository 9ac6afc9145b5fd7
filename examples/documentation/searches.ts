/** The searches of which `npm run search-times` prints how long they take. */

/** A list of pages in a language: everything but its `_q`, and what that changes. */
interface Search {
  readonly name: string;
  readonly locale: "en" | "de";
  readonly words: string;
  /** Parameters that a list without `_q` can have, too. */
  readonly list?: string;
  /** Parameters that need a `_q`. */
  readonly more?: string;
  /** What each page found has, marked in its snippet. */
  readonly marked: RegExp;
}

export const searches: readonly Search[] = [
  { name: "a word in one page", locale: "en", words: "E0042", marked: /^E0042$/ },
  { name: "a rare word", locale: "en", words: "lighthouse", marked: /^lighthouse$/i },
  { name: "another form of a word", locale: "en", words: "installed", marked: /^install(?:ing|er)$/i },
  { name: "the beginning of a word", locale: "en", words: "certif", marked: /^certificates$/i },
  { name: "without accents", locale: "en", words: "facades", marked: /^façades$/i },
  { name: "two words", locale: "en", words: "encrypt key", marked: /^(?:encrypts|keys)$/i },
  { name: "a word with a typo", locale: "en", words: "certifcates", marked: /^certificates$/i },
  { name: "a word that nearly all have", locale: "en", words: "server", marked: /^server$/i },
  { name: "a rare word, by score", locale: "en", words: "lighthouse", more: "sort=_score", marked: /^lighthouse$/i },
  {
    name: "the same with snippets",
    locale: "en",
    words: "lighthouse",
    more: "sort=_score&snippets=true",
    marked: /^lighthouse$/i,
  },
  { name: "a rare word, with facets", locale: "en", words: "lighthouse", list: "facets=kind", marked: /^lighthouse$/i },
  {
    name: "a rare word, below one page",
    locale: "en",
    words: "lantern",
    list: "filters[parent][slug]=page-1",
    marked: /^lantern$/i,
  },
  {
    name: "a rare word, in pages with a warning",
    locale: "en",
    words: "lantern",
    list: "filters[sections][docs.notice][tone]=warning",
    marked: /^lantern$/i,
  },
  { name: "a word in one page", locale: "de", words: "E0042", marked: /^E0042$/ },
  { name: "another form of a word", locale: "de", words: "Haus", marked: /^Häuser$/i },
  { name: "without accents", locale: "de", words: "schlussel", marked: /^Schlüssel$/i },
  { name: "the beginning of a word", locale: "de", words: "Berecht", marked: /^Berechtigungen$/i },
  { name: "a word with a typo", locale: "de", words: "Zertifkate", marked: /^Zertifikate$/i },
  { name: "a rare word", locale: "de", words: "Leuchtturm", marked: /^Leuchtturm$/i },
  {
    name: "a word that nearly all have, by score",
    locale: "en",
    words: "server",
    more: "sort=_score",
    marked: /^server$/i,
  },
  { name: "a rare word, by score", locale: "de", words: "Leuchtturm", more: "sort=_score", marked: /^Leuchtturm$/i },
  { name: "a word that nearly all have", locale: "de", words: "Server", marked: /^Server$/i },
];

const paths = (parts: readonly (string | undefined)[]): string =>
  `/api/pages?${parts.filter((part) => part !== undefined).join("&")}`;

/** The address of a search. */
export const searchPath = ({ locale, words, list, more }: Search): string =>
  paths([`locale=${locale}`, list, `_q=${encodeURIComponent(words)}`, more]);

/** The address of the same list without the search. */
export const listPath = ({ locale, list }: Search): string => paths([`locale=${locale}`, list]);
