/** Unknown keys of a schema file, most of them typos. */
import { nearest } from "../../runtime/base/did-you-mean.ts";
import { isRecord } from "../../runtime/base/is-record.ts";
import { problems } from "../diagnostics/codes.ts";
import { type JsonPath, keyAt, type Report } from "../diagnostics/diagnostic.ts";
import { attributePanel } from "./panel-shapes.ts";

/** Keys that tools leave behind, such as `__filename__`. */
const LEFTOVER = /^__.*__$/;

/** An object of a schema file. */
export interface KeyScope {
  /** The object's description in messages. */
  readonly owner: string;
  readonly known: readonly string[];
  /** Options that control visibility, by the object that they belong to. Omitting one could make content public. */
  readonly guarded: Readonly<Record<string, string>>;
  /** Whether it may contain keys of other programs. */
  readonly open?: true;
}

const plain = (key: string): string => key.replaceAll(/[-_\s]/g, "").toLowerCase();

/** The guarded option that a key was probably meant to be, including one at the wrong place. */
const guardedBy = (key: string, guarded: readonly string[]): string | undefined =>
  guarded.find((name) => plain(name) === plain(key)) ?? nearest(key.replaceAll(/[-_\s]/g, ""), guarded);

/** Checks the keys of the object `value` at `path`. */
export const reportUnknownKeys = (
  report: Report,
  file: string,
  value: unknown,
  path: JsonPath,
  { owner, known, guarded, open }: KeyScope,
): void => {
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    if (known.includes(key) || LEFTOVER.test(key)) continue;
    const place = keyAt(file, ...path, key);
    const option = guardedBy(key, Object.keys(guarded));
    if (option !== undefined) {
      const suggestion = option === key ? undefined : option;
      report(problems.misspeltGuard, place, { key, owner, place: guarded[option] ?? option }, { suggestion });
    } else if (!open) report(problems.unknownKey, place, { key, owner }, { suggestion: nearest(key, known) });
  }
};

const DRAFTS = { draftAndPublish: "options.draftAndPublish" };
const LOCALIZED = { localized: "pluginOptions.i18n.localized" };
const PRIVATE = { privateAttributes: "options.privateAttributes" };

/** Options of other programs, which have no effect here. */
const FOREIGN_OPTIONS = ["comment", "version", "timestamps", "increments", "reviewWorkflows"];

type Scopes = readonly (readonly [path: readonly string[], scope: KeyScope])[];

/** The allowed keys of each object in a schema file outside its attributes, by path. */
export const scopesOf = (
  owner: string,
  keys: Readonly<Record<"file" | "info" | "options" | "panel", readonly string[]>>,
): Scopes => {
  const hasOptions = keys.options.length > 0;
  const guarded = hasOptions ? { ...DRAFTS, ...LOCALIZED, ...PRIVATE } : {};
  return [
    [[], { owner, known: keys.file, guarded }],
    [["info"], { owner: '"info"', known: keys.info, guarded }],
    [["options"], { owner: '"options"', known: [...keys.options, "panel", ...FOREIGN_OPTIONS], guarded }],
    [["options", "panel"], { owner: '"panel"', known: keys.panel, guarded: {} }],
    ...pluginScopes([]),
  ];
};

/** Plugins may have any name except a misspelt `i18n`. */
const pluginScopes = (path: readonly string[]): Scopes => [
  [
    [...path, "pluginOptions"],
    { owner: '"pluginOptions"', known: ["i18n"], guarded: { i18n: "pluginOptions.i18n", ...LOCALIZED }, open: true },
  ],
  [[...path, "pluginOptions", "i18n"], { owner: '"i18n"', known: ["localized"], guarded: LOCALIZED }],
];

/** The allowed keys of an attribute. */
export const attributeScopes = (name: string, type: string, known: readonly string[]): Scopes => {
  const own = Object.fromEntries(["private", "unique"].filter((key) => known.includes(key)).map((key) => [key, key]));
  const path = ["attributes", name];
  return [
    [path, { owner: `attribute ${JSON.stringify(name)} of type "${type}"`, known, guarded: { ...own, ...LOCALIZED } }],
    [[...path, "conditions"], { owner: '"conditions"', known: ["visible"], guarded: {} }],
    ...pluginScopes(path),
    [[...path, "pluginOptions", "panel"], { owner: '"panel"', known: Object.keys(attributePanel.shape), guarded: {} }],
  ];
};
