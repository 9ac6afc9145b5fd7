/** The name of a migration: what changed, in the schema's terms. */
import { type Change, pairedTypes } from "../change.ts";
import { sharingTurns } from "../moves/shared-values.ts";
import { singleTurn } from "../moves/single-types.ts";
import { expandedIn } from "../names/expand.ts";
import { meaning } from "../names/meaning.ts";
import { nameOf } from "../names/recall.ts";
import type { Step } from "../step.ts";
import { requirements } from "./lacking.ts";
import { uniqueness } from "./uniqueness.ts";

type Outlines = Readonly<Record<string, { readonly attributes: Readonly<Record<string, unknown>> }>>;

/** What a change does, most serious first: a title without room for all begins with that. */
const VERBS = ["remove", "rename", "change", "add", "create"] as const;

type Phrase = readonly [verb: (typeof VERBS)[number], what: string];

const phrases = (
  old: Outlines,
  next: Outlines,
  pairings: Change["correspondence"]["contentTypes"],
  ruled: ReadonlySet<string>,
): Phrase[] => {
  const found: Phrase[] = [];
  const [was, is] = [new Set(pairings.map((pair) => pair.old)), new Set(pairings.map((pair) => pair.new))];
  for (const uid of Object.keys(next)) if (!is.has(uid)) found.push(["create", nameOf(uid)]);
  for (const pairing of pairings) {
    const name = nameOf(pairing.new);
    if (pairing.old !== pairing.new) found.push(["rename", `${nameOf(pairing.old)} to ${name}`]);
    const { attributes: before = {}, ...optionsBefore } = old[pairing.old] ?? {};
    const { attributes: after = {}, ...optionsAfter } = next[pairing.new] ?? {};
    const [kept, come] = [pairing.attributes.map((pair) => pair.old), pairing.attributes.map((pair) => pair.new)];
    for (const key of Object.keys(after)) if (!come.includes(key)) found.push(["add", `${name} ${key}`]);
    for (const pair of pairing.attributes) {
      if (pair.old !== pair.new) found.push(["rename", `${name} ${pair.old} to ${pair.new}`]);
      else if (meaning(before[pair.old]) !== meaning(after[pair.new]) || ruled.has(`${pairing.new}.${pair.new}`))
        found.push(["change", `${name} ${pair.new}`]);
    }
    for (const key of Object.keys(before)) if (!kept.includes(key)) found.push(["remove", `${name} ${key}`]);
    if (pairing.old === pairing.new && JSON.stringify(optionsBefore) !== JSON.stringify(optionsAfter))
      found.push(["change", name]);
  }
  for (const uid of Object.keys(old)) if (!was.has(uid)) found.push(["remove", nameOf(uid)]);
  return found;
};

const LENGTH = 60;

/** Lower-case words joined by underscores. */
export const slug = (text: string, longest = LENGTH): string =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(0, longest)
    .replaceAll(/^_+|_+$/g, "");

/** As many of these as fit, at least the first, and the number of the others. */
const listed = ([first = "", ...others]: readonly string[]): string => {
  if (others.length === 0) return slug(first);
  const whole = slug([first, ...others].join(" and "), Infinity);
  if (others.length === 1 && whole.length <= LENGTH) return whole;
  const rest = `_and_${others.length}_more`;
  return slug(first, LENGTH - rest.length) + rest;
};

/** What a step does, in the imperative: `adds files.folder_path` -> `add files.folder_path`. */
const order = (does: string): string => {
  const [verb = "", ...what] = (does.split(":")[0] ?? "").split(" ");
  return [verb.replace(/xes$/, "x").replace(/s$/, ""), ...what].join(" ");
};

/** If the schema is unchanged, but a new version of the package stores it in another way. */
const titleOfSteps = (steps: readonly Step[]): string => {
  const orders = new Set(steps.flatMap(({ does }) => (does === undefined ? [] : order(does))));
  return orders.size === 0 ? "update_snapshot" : listed([...orders]);
};

/** Such as `add_article_subtitle`, `remove_article_subtitle_and_4_more`, `initial`; `steps` are those of the way up. */
export const titleOf = (change: Change, steps: readonly Step[]): string => {
  const { old, next, correspondence } = change;
  if (Object.keys(old.tables).length === 0) return "initial";
  // Constraints on values, which an attribute's outline does not include.
  const ruled = new Set([
    ...[requirements(change), uniqueness(change)].flatMap(({ come, gone }) => [...come, ...gone]),
    ...sharingTurns(change).map(({ place }) => place),
  ]);
  const turned = pairedTypes(change).filter(({ pairing }) => singleTurn(change, pairing) !== undefined);
  const all = [
    ...turned.map(({ pairing }): Phrase => ["change", nameOf(pairing.new)]),
    ...phrases(old.contentTypes, next.contentTypes, correspondence.contentTypes, ruled),
    ...phrases(old.components, next.components, correspondence.components, ruled),
  ];
  const texts = VERBS.flatMap((verb) => all.filter(([own]) => own === verb).map(([, what]) => `${verb} ${what}`));
  return texts.length === 0 ? titleOfSteps(steps) : listed(texts);
};

/** Such as `expand_rename_article_subtitle_to_tagline`, and `contract_articles_subtitle_to_tagline`. */
export const phasedTitle = (change: Change, steps: readonly Step[], phase: "expand" | "contract"): string => {
  if (phase === "expand") return slug(`expand ${titleOf(change, steps)}`);
  const { columns, links } = expandedIn(change.old);
  const [first = "", ...others] = [
    ...columns.map((each) => `${each.table} ${each.old} to ${each.new}`),
    ...links.map((each) => `${each.old} to ${each.new}`),
  ];
  return listed([`contract ${first}`, ...others]);
};

const DIGITS = 14;

/**
 * The time in UTC to the second, in digits: migrations sort by it. Always later than that of `last`, the newest
 * migration's name, even if clocks differ or both are made within one second.
 */
export const stamp = (now: Date, last: string | undefined): string => {
  const own = now.toISOString().replaceAll(/\D/g, "").slice(0, DIGITS);
  const before = last?.slice(0, DIGITS);
  return before === undefined || !/^\d{14}$/.test(before) || own > before ? own : String(BigInt(before) + 1n);
};
