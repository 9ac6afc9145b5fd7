/** Compares answers with recorded ones: what depends on the moment or on chance only has to be of the same form. */

type Json = unknown;

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const DOCUMENT_ID = /(?<![A-Za-z0-9])[a-z][a-z0-9]{23}(?![A-Za-z0-9])/g;
const HASHED = /_[0-9a-f]{10}(?=$|\.)/;
const BCRYPT = /^\$2[aby]\$\d\d\$/;
const FILE_KEYS = new Set(["hash", "url", "previewUrl", "path"]);
const SIZE_KEYS = new Set(["size", "sizeInBytes"]);
const TWO_HOURS = 7_200_000;

export const brief = (value: Json, length = 90): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > length ? `${text.slice(0, length)}…` : text;
};

const kindOf = (value: Json): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

interface Options {
  /** The list of the answer is a set. */
  readonly unordered: boolean;
}

/** One scenario's comparisons: documentIds are matched one to one through all of its steps. */
export class Comparison {
  readonly #recordedAt: number;
  readonly #run: string;
  readonly #shared: (id: string) => boolean;
  #forward = new Map<string, string>();
  #backward = new Map<string, string>();

  /** `shared` tells which recorded ids may stand for the same document as others do. */
  constructor(recordedAt: string, run: string, shared: (id: string) => boolean = () => false) {
    this.#recordedAt = Date.parse(recordedAt);
    this.#run = run;
    this.#shared = shared;
  }

  #copy(): Comparison {
    const copy = new Comparison(new Date(this.#recordedAt).toISOString(), this.#run, this.#shared);
    copy.#forward = new Map(this.#forward);
    copy.#backward = new Map(this.#backward);
    return copy;
  }

  #bind(expected: string, actual: string): boolean {
    const known = this.#forward.get(expected);
    const isTaken = this.#backward.has(actual) && !this.#shared(expected);
    if (known === undefined ? isTaken : known !== actual) return false;
    this.#forward.set(expected, actual);
    this.#backward.set(actual, expected);
    return true;
  }

  /** What is different, as sentences. */
  differences(expected: Json, actual: Json, { unordered }: Options): string[] {
    return this.#compare(expected, actual, "", "", unordered);
  }

  /** Null when the texts agree. */
  text(expected: string, actual: string, key = ""): string | null {
    if (key === "jwt") return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(actual) ? null : "not a JWT";
    const wanted = expected.replaceAll("{{run}}", this.#run);
    const different = `expected ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`;
    if (wanted === actual && !new RegExp(DOCUMENT_ID.source).test(wanted)) return null;
    if (BCRYPT.test(wanted)) return BCRYPT.test(actual) ? null : "expected a bcrypt hash";
    if (wanted.includes("connecting relation with id")) {
      return wanted.replaceAll(/\d+/g, "N") === actual.replaceAll(/\d+/g, "N") ? null : different;
    }
    if (ISO.test(wanted) && Math.abs(Date.parse(wanted) - this.#recordedAt) < TWO_HOURS) {
      return ISO.test(actual) ? null : different;
    }
    if (FILE_KEYS.has(key) && HASHED.test(wanted)) {
      return withoutHash(wanted) === withoutHash(actual) ? null : different;
    }
    if (key === "documentId" && wanted !== "") return actual !== "" && this.#bind(wanted, actual) ? null : different;
    return this.#sameIds(wanted, actual) ? null : different;
  }

  /** Texts that hold documentIds agree when those stand for each other. */
  #sameIds(expected: string, actual: string): boolean {
    const ids = expected.match(DOCUMENT_ID);
    if (ids === null) return expected === actual;
    const literal = expected.split(DOCUMENT_ID).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    const found = new RegExp(`^${literal.join("([A-Za-z0-9_-]+)")}$`, "s").exec(actual);
    if (found === null) return expected === actual;
    return ids.every((id, index) => {
      const other = found[index + 1] ?? "";
      return (id === other && !this.#forward.has(id)) || this.#bind(id, other);
    });
  }

  #compare(expected: Json, actual: Json, path: string, key: string, unordered: boolean): string[] {
    const kind = kindOf(expected);
    if (key === "id" || key === "_id") {
      const same = sameFormOfId(expected, actual);
      if (same !== undefined) return same ? [] : [`${path}: expected an id, got ${brief(actual)}`];
    }
    if (kind !== kindOf(actual)) return [`${path || "body"}: expected ${brief(expected)}, got ${brief(actual)}`];
    if (typeof expected === "string" && typeof actual === "string") {
      const difference = this.text(expected, actual, key);
      return difference === null ? [] : [`${path}: ${difference}`];
    }
    if (Array.isArray(expected) && Array.isArray(actual)) return this.#list(expected, actual, path, key, unordered);
    if (isRecord(expected) && isRecord(actual)) return this.#record(expected, actual, path, unordered);
    if (kind === "number" && SIZE_KEYS.has(key)) return [];
    return Object.is(expected, actual) ? [] : [`${path}: expected ${brief(expected)}, got ${brief(actual)}`];
  }

  #list(expected: readonly Json[], actual: readonly Json[], path: string, key: string, unordered: boolean): string[] {
    if (expected.length !== actual.length) {
      return [
        `${path}: expected ${expected.length} items, got ${actual.length}: ${brief(expected, 160)}, ${brief(actual, 160)}`,
      ];
    }
    const isErrors = /(^|\.)details\.errors$/.test(path);
    const isLocalizations = key === "localizations" || /localizations(_connection\.nodes|\.data)$/.test(path);
    if (isErrors || isLocalizations || (unordered && /^(data(\.\w+\.data)?)?$/.test(path))) {
      return this.#set(expected, actual, path, key);
    }
    const inner = key === "documentId" ? "" : key;
    return expected.flatMap((item, index) => this.#compare(item, actual[index], `${path}[${index}]`, inner, unordered));
  }

  /** Every expected item has a partner of its own. */
  #set(expected: readonly Json[], actual: readonly Json[], path: string, key: string): string[] {
    const left = new Set(actual.keys());
    return expected.flatMap((item, index) => {
      for (const candidate of left) {
        const attempt = this.#copy();
        if (attempt.#compare(item, actual[candidate], `${path}[${index}]`, key, false).length > 0) continue;
        this.#forward = attempt.#forward;
        this.#backward = attempt.#backward;
        left.delete(candidate);
        return [];
      }
      return [`${path}[${index}]: no item matches ${brief(item, 120)}`];
    });
  }

  #record(expected: Item, actual: Item, path: string, unordered: boolean): string[] {
    const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
    const missing = Object.keys(expected).flatMap((key) =>
      Object.hasOwn(actual, key)
        ? this.#compare(expected[key], actual[key], at(key), key, unordered)
        : [`${at(key)}: missing, expected ${brief(expected[key])}`],
    );
    const surplus = Object.keys(actual)
      .filter((key) => !Object.hasOwn(expected, key))
      .map((key) => `${at(key)}: unexpected ${brief(actual[key])}`);
    return [...missing, ...surplus];
  }
}

const withoutHash = (text: string): string => text.replace(/_[0-9A-Za-z]{6,32}(?=$|\.)/, "_H");

type Item = Readonly<Record<string, Json>>;

const isRecord = (value: Json): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether ids are of the same form; undefined when the expected one is no numeric id. */
const sameFormOfId = (expected: Json, actual: Json): boolean | undefined => {
  if (typeof expected === "number") return typeof actual === "number";
  if (typeof expected === "string" && /^\d+$/.test(expected)) return typeof actual === "string" && /^\d+$/.test(actual);
  return undefined;
};
