/** Random questions of the REST API: any name, hidden or not, in any place of a query. */
import type { Caller } from "../../../runtime/access/caller.ts";
import { isListed } from "../../../runtime/access/field-lists.ts";
import type { Attribute, Field } from "../../../runtime/schema/content-type.ts";
import { isUid } from "../../../runtime/schema/uid.ts";
import type { Random } from "../../../scripts/chaos/random.ts";
import { application } from "../query/content.ts";
import { queryString } from "../query/random-queries.ts";

/** What has attributes. */
export interface Owner {
  readonly uid: string;
  readonly attributes: Readonly<Record<string, Attribute | Field>>;
}

type Raw = Readonly<Record<string, unknown>>;

/** Everything that documents are of. */
export const types = Object.values(application.contentTypes).map(({ type }) => type);
const components = Object.values(application.components).map(({ component }) => component);
/** Everything that has attributes. */
export const owners: readonly Owner[] = [...types, ...components];
const DOCUMENTS = ["a1", "a2", "a3", "ann", "bob", "cid", "leaf", "root", "c1", "v1", "unseen", "draft"];
const SYSTEM = ["id", "documentId", "createdAt", "updatedAt", "publishedAt", "locale", "createdBy", "updatedBy"];
const TEXTS = [
  "a",
  "F",
  "First",
  "HIDDEN-",
  "draft",
  "Ann",
  "k",
  "t-ann",
  "s3cret",
  "/x",
  "me",
  "en",
  "fr",
  "2020-01-02",
];
const NUMBERS = ["0", "1", "2", "5", "30", "900"];
const VALUES = [...TEXTS, ...NUMBERS, ...DOCUMENTS, "true", "null", ""];

/** A value that something could be compared with. */
export const value = (random: Random): string => random.pick(VALUES);

const OPERATORS = [
  "$eq $ne $eqi $gt $gte $lt $lte $in $notIn $between $null $notNull $contains $notContains $containsi",
  "$startsWith $startsWithi $endsWith $endsWithi $not $jsonSupersetOf",
].flatMap((words) => words.split(" "));

const ownerOf = (uid: string): Owner | undefined => owners.find((owner) => owner.uid === uid);

/** What stands behind an attribute. */
export const behind = (attribute: Attribute | Field | undefined): Owner | undefined => {
  if (attribute?.type === "component") return ownerOf(attribute.component);
  if (attribute?.type !== "relation" || !("target" in attribute)) return undefined;
  return attribute.target && ownerOf(attribute.target);
};

/** Whether a caller may ask for an attribute of a type or component. */
export const isOpen = ({ can, fields }: Caller, uid: string, name: string): boolean => {
  const attribute = ownerOf(uid)?.attributes[name];
  if (attribute?.private === true || attribute?.type === "password") return false;
  if (attribute && fields && isUid(uid) && !isListed(fields, uid, name, "read")) return false;
  const target = attribute?.type === "relation" && "target" in attribute ? attribute.target : undefined;
  return target === undefined || can(`${target}.find`);
};

/** What questions are made with. */
export interface Asking {
  readonly random: Random;
  readonly caller: Caller;
}

/** Mostly what the caller may ask for: a name that is refused hides whatever stands beside it. */
const nameIn = ({ random, caller }: Asking, { uid, attributes }: Owner): string => {
  if (random.chance(0.1)) return random.pick([...SYSTEM, "localizations"]);
  const all = Object.keys(attributes);
  const open = all.filter((name) => isOpen(caller, uid, name));
  return random.pick(open.length === 0 || random.chance(0.04) ? all : open);
};

const operand = (random: Random): unknown => {
  const operator = random.pick(OPERATORS);
  if (operator === "$in" || operator === "$notIn" || operator === "$between") {
    return { [operator]: [value(random), value(random)] };
  }
  if (operator === "$not") return { $not: operand(random) };
  return { [operator]: operator.endsWith("ull") ? String(random.chance(0.5)) : value(random) };
};

const filter = (asking: Asking, owner: Owner, depth: number): Raw => {
  const { random } = asking;
  if (depth > 0 && random.chance(0.2)) {
    const parts = [filter(asking, owner, depth - 1), filter(asking, owner, depth - 1)];
    return random.chance(0.3) ? { $not: parts[0] } : { [random.pick(["$or", "$and"])]: parts };
  }
  const name = nameIn(asking, owner);
  const next = behind(owner.attributes[name]);
  if (next && depth > 0 && random.chance(0.8)) return { [name]: filter(asking, next, depth - 1) };
  return { [name]: random.chance(0.2) ? value(random) : operand(random) };
};

/** Names of attributes down to any place, with dots between them. */
const dotted = (asking: Asking, owner: Owner, depth: number): string => {
  const name = nameIn(asking, owner);
  const next = behind(owner.attributes[name]);
  return next && depth > 0 ? `${name}.${dotted(asking, next, depth - 1)}` : name;
};

/** A key to sort by. */
export const sortKey = (asking: Asking, uid: string): string => {
  const { random } = asking;
  return `${dotted(asking, ownerOf(uid) ?? random.pick(owners), 2)}${random.pick(["", ":asc", ":desc"])}`;
};

const repeat = <Item>(random: Random, most: number, make: () => Item): Item[] =>
  Array.from({ length: 1 + random.below(most) }, make);

const sometimes = (random: Random, members: Readonly<Record<string, readonly [chance: number, make: () => unknown]>>) =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, [chance, make]]) => (random.chance(chance) ? [[name, make()]] : [])),
  );

const options = (asking: Asking, owner: Owner, depth: number): Raw => {
  const { random } = asking;
  return sometimes(random, {
    fields: [0.4, () => repeat(random, 3, () => nameIn(asking, owner)).filter((name) => isScalar(owner, name))],
    filters: [0.3, () => filter(asking, owner, 2)],
    sort: [0.3, () => dotted(asking, owner, 1)],
    populate: [depth > 0 ? 0.6 : 0, () => populate(asking, owner, depth - 1)],
    count: [0.1, () => "true"],
  });
};

const LEADING = /relation|media|component|zone/;

const isScalar = ({ attributes }: Owner, name: string): boolean => !LEADING.test(attributes[name]?.type ?? "");

const fragments = (asking: Asking): Raw => {
  const chosen = repeat(asking.random, 2, () => asking.random.pick(owners));
  return { on: Object.fromEntries(chosen.map((owner) => [owner.uid, options(asking, owner, 0)])) };
};

const populate = (asking: Asking, owner: Owner, depth: number): unknown => {
  const { random, caller } = asking;
  if (random.chance(0.3)) return "*";
  const leading = Object.keys(owner.attributes).filter(
    (name) => !isScalar(owner, name) && (isOpen(caller, owner.uid, name) || random.chance(0.05)),
  );
  const names = [...leading, "localizations"];
  if (random.chance(0.2)) return repeat(random, 3, () => random.pick(names));
  return Object.fromEntries(
    repeat(random, 3, () => random.pick(names)).map((name) => {
      const next = behind(owner.attributes[name]);
      if (next) return [name, random.chance(0.2) ? "true" : options(asking, next, depth)];
      return [name, random.chance(0.7) ? "true" : fragments(asking)];
    }),
  );
};

const PUBLICATION =
  "never-published has-published-version modified unmodified published-with-draft published-without-draft";

/** A path with its query, without the prefix of the API. */
export const restQuestion = (asking: Asking): string => {
  const { random, caller } = asking;
  if (random.chance(0.05)) {
    return `/upload/files?${queryString({ populate: random.pick(["*", "related"]), sort: "id" }).join("&")}`;
  }
  const open = types.filter(({ uid }) => caller.can(`${uid}.find`) || random.chance(0.05));
  const type = random.pick(open);
  // Types without drafts of their own pass the status on to what they lead to.
  const drafts = !type.draftAndPublish || caller.can(`${type.uid}.readDraft`) ? 0.5 : 0.03;
  const query = sometimes(random, {
    filters: [0.5, () => filter(asking, type, 2)],
    sort: [0.4, () => repeat(random, 2, () => dotted(asking, type, 2))],
    fields: [0.2, () => repeat(random, 4, () => nameIn(asking, type)).filter((name) => isScalar(type, name))],
    populate: [0.6, () => populate(asking, type, 2)],
    _q: [0.15, () => value(random)],
    status: [drafts, () => random.pick(["draft", "published"])],
    locale: [0.3, () => random.pick(["en", "fr", "*"])],
    publicationFilter: [drafts / 3, () => random.pick(PUBLICATION.split(" "))],
    hasPublishedVersion: [drafts / 6, () => random.pick(["true", "false"])],
    pagination: [0.3, () => ({ start: random.below(4), limit: 1 + random.below(3) })],
  });
  const one = random.chance(0.2) ? `/${random.pick(DOCUMENTS)}` : "";
  return `/${type.pluralName}${one}?${queryString(query).join("&")}`;
};
