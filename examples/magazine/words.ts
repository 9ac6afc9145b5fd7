/** What the sites say themselves. */
import type { Locale } from "./content.ts";

const en = {
  language: "English",
  by: "By",
  logIn: "Log in",
  logOut: "Log out",
  name: "Name or e-mail",
  password: "Password",
  propose: "Propose a story",
  title: "Title",
  about: "What is it about?",
  send: "Send",
  sent: "Thank you. An editor reads it now.",
  preview: "Preview: drafts are shown.",
  leave: "Leave",
  untitled: "Untitled",
};

const de: typeof en = {
  language: "Deutsch",
  by: "Von",
  logIn: "Anmelden",
  logOut: "Abmelden",
  name: "Name oder E-Mail",
  password: "Passwort",
  propose: "Eine Geschichte vorschlagen",
  title: "Titel",
  about: "Worum geht es?",
  send: "Senden",
  sent: "Danke. Die Redaktion liest sie jetzt.",
  preview: "Vorschau: auch Entwürfe.",
  leave: "Verlassen",
  untitled: "Ohne Titel",
};

export const words: Readonly<Record<Locale, typeof en>> = { en, de };
