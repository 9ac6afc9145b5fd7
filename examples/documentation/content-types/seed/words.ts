/** The made-up text of pages: sentences in both languages, and which of them are on a page. */

/** The parts of a language's sentences. Each entry of a list is chosen half as often as the one before. */
interface Language {
  readonly subjects: readonly string[];
  readonly verbs: readonly string[];
  readonly objects: readonly string[];
  readonly places: readonly string[];
  /** Before the number of an error, which one page alone has. */
  readonly error: string;
  /** Before the number of a page in its title. */
  readonly part: string;
}

export const en: Language = {
  subjects: [
    "The server",
    "The database",
    "An editor",
    "The installer",
    "A worker",
    "The proxy",
    "An auditor",
    "A courier",
  ],
  verbs: ["reads", "stores", "checks", "copies", "restores", "encrypts", "rotates", "archives"],
  objects: [
    "the settings",
    "the backups",
    "all houses of the archive",
    "the certificates",
    "the private keys",
    "the permissions",
    "the façades",
    "the ledgers",
  ],
  places: [
    "when it starts",
    "after each release",
    "before installing updates",
    "in the configured region",
    "by the river",
    "during a migration",
    "under the lantern",
    "on weekends",
    "without a warning",
    "beside the lighthouse",
  ],
  error: "If that fails, the log shows",
  part: "part",
};

export const de: Language = {
  subjects: [
    "Der Server",
    "Die Datenbank",
    "Eine Redakteurin",
    "Das Programm",
    "Ein Prozess",
    "Der Proxy",
    "Ein Prüfer",
    "Ein Bote",
  ],
  verbs: ["liest", "speichert", "prüft", "kopiert", "sichert", "verschlüsselt", "erneuert", "archiviert"],
  objects: [
    "die Einstellungen",
    "die Sicherungen",
    "alle Häuser des Archivs",
    "die Zertifikate",
    "die privaten Schlüssel",
    "die Berechtigungen",
    "die Fassaden",
    "die Bücher",
  ],
  places: [
    "beim Start",
    "nach jeder Veröffentlichung",
    "vor dem Installieren von Neuerungen",
    "in der eingestellten Region",
    "am Fluss",
    "während einer Migration",
    "unter der Laterne",
    "am Wochenende",
    "ohne Warnung",
    "neben dem Leuchtturm",
  ],
  error: "Schlägt das fehl, zeigt das Protokoll",
  part: "Teil",
};

/** Numbers between 0 and 1 that look random, the same ones for the same page. */
export const randomOf = (page: number) => {
  let state = page * 2_654_435_761;
  return (): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
};

const chosen = (list: readonly string[], random: number): string =>
  list[Math.min(list.length - 1, Math.floor(-Math.log2(1 - random)))] ?? "";

/** Some sentences. Both languages say the same, since they choose by the same numbers. */
export const sentences = (
  { subjects, verbs, objects, places }: Language,
  random: () => number,
  count: number,
): string =>
  Array.from({ length: count }, () =>
    [subjects, verbs, objects, places].map((list) => chosen(list, random())).join(" "),
  ).join(". ");
