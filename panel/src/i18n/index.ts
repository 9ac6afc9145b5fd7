/** The language of the panel: the browser's, or the one that the user has chosen. */
import { createContext, useContext } from "react";
import en from "./en.json";

export type TextKey = keyof typeof en;

type Texts = Readonly<Record<TextKey, string>>;

/** Loads the texts of a language. Only English, whose texts are the first, is part of the first load. */
const LANGUAGES = {
  en: async () => en,
  de: async () => (await import("./de.json")).default,
} satisfies Record<string, () => Promise<Texts>>;

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

export interface Spoken {
  readonly language: Language;
  readonly t: Translate;
}

/** A language with its texts; English if those cannot be loaded. */
export const speak = async (language: Language): Promise<Spoken> => {
  try {
    return { language, t: translator(await LANGUAGES[language]()) };
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
