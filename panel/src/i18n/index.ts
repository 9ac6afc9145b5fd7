/** The language of the panel: the browser's, or the one that the user has chosen. */
import { createContext, useContext } from "react";
import en from "./en.json";

export type TextKey = keyof typeof en;

type Texts = Readonly<Record<TextKey, string>>;

interface Loaded {
  readonly texts: Texts;
  /** Messages of the server, each with what it is in this language. */
  readonly refusals?: Readonly<Record<string, string>>;
}

/** Loads the texts of a language. Only English, whose texts are the first, is part of the first load. */
const LANGUAGES = {
  en: async () => ({ texts: en }),
  de: async () => {
    const [texts, refusals] = await Promise.all([import("./de.json"), import("./refusals.de.json")]);
    return { texts: texts.default, refusals: refusals.default };
  },
} satisfies Record<string, () => Promise<Loaded>>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

const KEY = "panel:language";

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text);

export const initialLanguage = (): Language => {
  const kept = localStorage.getItem(KEY);
  if (isLanguage(kept)) return kept;
  const short = navigator.language.slice(0, 2);
  return isLanguage(short) ? short : "en";
};

/** Stores the chosen language, which overrides the browser's. */
export const keepLanguage = (language: Language): void => localStorage.setItem(KEY, language);

export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

const translator =
  (texts: Texts): Translate =>
  (key, values = {}) =>
    texts[key].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ""));

const isKey = (name: string): name is TextKey => Object.hasOwn(en, name);

/** The text for a name of the server; the name itself if there is none. */
export const named = (t: Translate, group: string, name: string): string => {
  const key = `${group}.${name}`;
  return isKey(key) ? t(key) : name;
};

/** The server's messages with their places as groups, and their texts in the language of the panel. */
let refusals: readonly { readonly pattern: RegExp; readonly text: string }[] = [];

const patternOf = (message: string): RegExp =>
  new RegExp(`^${message.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{(\w+)\}/g, "(?<$1>.+?)")}$`, "s");

/** A message of the server in the language of the panel; as it is if there is no text for it. */
export const saidByServer = (message: string): string => {
  for (const { pattern, text } of refusals) {
    const found = pattern.exec(message);
    if (found) return text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => found.groups?.[name] ?? "");
  }
  return message;
};

export interface Spoken {
  readonly language: Language;
  readonly t: Translate;
}

/** A language with its texts; English if those cannot be loaded. */
export const speak = async (language: Language): Promise<Spoken> => {
  try {
    const spoken: Loaded = await LANGUAGES[language]();
    refusals = Object.entries(spoken.refusals ?? {}).map(([message, text]) => ({ pattern: patternOf(message), text }));
    return { language, t: translator(spoken.texts) };
  } catch {
    return { language: "en", t: translator(en) };
  }
};

export interface Languages extends Spoken {
  choose(language: Language): void;
}

export const LanguageContext = createContext<Languages>({ language: "en", t: translator(en), choose: () => {} });

export const useLanguage = (): Languages => useContext(LanguageContext);

/** The function that returns texts in the current language. */
export const useText = (): Translate => useLanguage().t;

/** A number of documents in words. */
export const documentsIn = (t: Translate, n: number): string =>
  n === 1 ? t("count.document") : t("count.documents", { n });
