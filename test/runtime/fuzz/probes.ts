/**
 * Questions that are aimed at what is kept from a caller: one name that they may not use, or one word about drafts, and
 * little beside it that could be refused instead. Random questions seldom meet such a place in a way that tells anything.
 */
import type { Attribute, Field } from "../../../runtime/schema/content-type.ts";
import type { Random } from "../../../scripts/chaos/random.ts";
import { MARKS, nest } from "../query/hidden.ts";
import { queryString } from "../query/random-queries.ts";
import { type Asking, behind, isOpen, type Owner, types } from "./rest-questions.ts";

type Type = (typeof types)[number];
type Kind = (Attribute | Field)["type"];

/** An attribute, and the names that lead to it from a type. */
interface Target {
  readonly path: readonly string[];
  readonly kind: Kind;
}

const DEPTH = 2;
const TEXT = /^(string|text|richtext|uid)$/;

/** The text of a document or entry, or undefined where there is none. */
const textOf = ({ attributes }: Owner): Target | undefined => {
  const first = Object.entries(attributes).find(([, { type }]) => TEXT.test(type));
  return first && { path: [first[0]], kind: first[1].type };
};

/** An attribute, or the text behind it where it leads to something. */
const aimedAt = (path: readonly string[], attribute: Attribute | Field): Target[] => {
  const owner = behind(attribute);
  if (!owner) return /relation|media|zone|component/.test(attribute.type) ? [] : [{ path, kind: attribute.type }];
  const text = textOf(owner);
  return text ? [{ path: [...path, ...text.path], kind: text.kind }] : [];
};

/** The attributes of a type and of what is behind it: those that the caller may ask for, and the first that they may not. */
const targetsIn = (asking: Asking, owner: Owner, wanted: "open" | "closed", path: readonly string[] = []): Target[] =>
  Object.entries(owner.attributes).flatMap(([name, attribute]): Target[] => {
    const here = [...path, name];
    if (!isOpen(asking.caller, owner.uid, name)) return wanted === "closed" ? aimedAt(here, attribute) : [];
    const inner = behind(attribute);
    if (inner) return path.length < DEPTH ? targetsIn(asking, inner, wanted, here) : [];
    return wanted === "open" && path.length > 0 ? aimedAt(here, attribute) : [];
  });

/** What some of the worlds' values meet and others do not, by operators without their sign. */
const operandFor = (random: Random, kind: Kind): Readonly<Record<string, string | number | boolean>> => {
  if (TEXT.test(kind)) return random.pick([{ contains: MARKS[0] }, { contains: MARKS[1] }, { gt: `${MARKS[0]} 5` }]);
  if (/^(integer|float|decimal|biginteger)$/.test(kind)) return { lt: 40 };
  if (kind === "boolean") return { eq: true };
  if (kind === "date") return { lt: "2021-06-01" };
  return { notNull: true };
};

/** A probe, before it is put in the words of an API. */
interface Probe {
  readonly type: Type;
  /** A list by itself tells how many there are. */
  readonly use: "filter" | "sort" | "show" | "list";
  readonly target: Target;
  /** Whether it is about drafts: then everything that it names is open. */
  readonly drafts: boolean;
}

/** Types that the caller may find, with what is closed behind them. */
const probeOf = (asking: Asking): Probe | undefined => {
  const { random, caller } = asking;
  const drafts = random.chance(0.5);
  const open = types.filter(({ uid }) => caller.can(`${uid}.find`));
  const type = random.pick(open);
  const targets = targetsIn(asking, type, drafts ? "open" : "closed");
  if (targets.length === 0) return undefined;
  // There are many ways that lead far, and few that do not.
  const near = targets.filter(({ path }) => path.length === 1);
  const target = random.pick(near.length > 0 && random.chance(0.5) ? near : targets);
  const use = random.pick(["filter", "filter", "sort", "show", drafts ? "list" : "filter"] as const);
  return { type, drafts, use, target };
};

/** Words about drafts, for types without drafts of their own too: they hold for what these lead to. */
const draftWords = (random: Random): Readonly<Record<string, unknown>> =>
  random.pick([
    { status: "draft" },
    { publicationFilter: random.pick(["modified", "unmodified"]) },
    { publicationFilter: random.pick(["never-published", "published-with-draft", "published-without-draft"]) },
    { hasPublishedVersion: String(random.chance(0.5)) },
  ]);

const restUse = ({ random }: Asking, { use, target: { path, kind } }: Probe): Readonly<Record<string, unknown>> => {
  if (use === "list") return {};
  if (use === "sort") return { sort: `${path.join(".")}:${random.pick(["asc", "desc"])}` };
  if (use === "filter") {
    const signed = Object.entries(operandFor(random, kind)).map(([operator, value]) => [`$${operator}`, value]);
    return { filters: nest(path, Object.fromEntries(signed)) };
  }
  const [name = "", ...owners] = path.toReversed();
  const shown = owners.reduce<Readonly<Record<string, unknown>>>((inner, owner) => ({ populate: { [owner]: inner } }), {
    fields: [name],
  });
  return random.chance(0.3) && owners.length > 0 ? { populate: path.slice(0, -1).join(".") } : shown;
};

/** A path with its query that is aimed at something. */
export const restProbe = (asking: Asking): string => {
  const { random, caller } = asking;
  if (random.chance(0.1)) {
    const { pluralName } = random.pick(types.filter(({ uid }) => caller.can(`${uid}.find`)));
    return `/${pluralName}?_q=${encodeURIComponent(random.pick(MARKS))}`;
  }
  const probe = probeOf(asking);
  if (!probe) return restProbe(asking);
  const words = probe.drafts ? draftWords(random) : {};
  return `/${probe.type.pluralName}?${queryString({ ...restUse(asking, probe), ...words }).join("&")}`;
};

export type Format = "flat" | "entity";

/** Documents as a format selects them. */
const wrapped = (format: Format, inner: string): string =>
  format === "flat" ? `{ documentId ${inner} }` : `{ data { id attributes { ${inner || "createdAt"} } } }`;

const selected = (format: Format, owner: Owner, [name = "", ...path]: readonly string[]): string => {
  const attribute = owner.attributes[name];
  const inner = behind(attribute);
  if (!inner || path.length === 0) return name;
  const text = selected(format, inner, path);
  return attribute?.type === "component" ? `${name} { ${text} }` : `${name} ${wrapped(format, text)}`;
};

const literal = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? `{ ${Object.entries(value)
        .map(([name, inner]) => `${name}: ${literal(inner)}`)
        .join(", ")} }`
    : JSON.stringify(value);

const graphqlDrafts = (random: Random, format: Format): string =>
  format === "entity"
    ? "publicationState: PREVIEW"
    : random.pick([
        "status: DRAFT",
        "publicationFilter: MODIFIED",
        "publicationFilter: UNMODIFIED",
        "hasPublishedVersion: true",
      ]);

/** An operation that is aimed at something. */
export const graphqlProbe = (asking: Asking, format: Format): string => {
  const { random } = asking;
  const probe = probeOf(asking);
  if (!probe) return graphqlProbe(asking, format);
  const { type, use, target, drafts } = probe;
  const args = [
    ...(use === "sort" ? [`sort: ["${target.path.join(".")}:${random.pick(["asc", "desc"])}"]`] : []),
    ...(use === "filter" ? [`filters: ${literal(nest(target.path, operandFor(random, target.kind)))}`] : []),
    ...(drafts ? [graphqlDrafts(random, format)] : []),
  ];
  const asked = args.length > 0 ? `(${args.join(", ")})` : "";
  return `{ ${type.pluralName}${asked} ${wrapped(format, use === "show" ? selected(format, type, target.path) : "")} }`;
};
