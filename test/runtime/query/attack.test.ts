/**
 * Every private, password and forbidden attribute, tried through every parameter, directly and through relations,
 * components and logical groups: the answer is a 400, or one that does not depend on the hidden value.
 */
import { beforeAll, expect, test } from "vitest";
import { HttpError } from "../../../runtime/base/errors.ts";
import { type ReadContext, readMany } from "../../../runtime/query/index.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { isThorough } from "../../support/thorough.ts";
import { article, author, category, comment } from "./content.ts";
import { hidingWorlds, MARKS, nest, type Target, targets } from "./hidden.ts";
import { itemsOf } from "./world.ts";

const OPERATORS = [
  "$eq",
  "$eqi",
  "$ne",
  "$nei",
  "$gt",
  "$gte",
  "$lt",
  "$lte",
  "$in",
  "$notIn",
  "$between",
  "$null",
  "$notNull",
  "$contains",
  "$notContains",
  "$containsi",
  "$notContainsi",
  "$startsWith",
  "$startsWithi",
  "$endsWith",
  "$endsWithi",
  "$not",
  "$jsonSupersetOf",
];

let contexts: readonly ReadContext[] = [];

beforeAll(async () => {
  contexts = (await hidingWorlds()).map((world) => world.context());
});

/** `value` as the options of the attribute that the path ends in. */
const nestPopulate = (path: readonly string[], options: object): object =>
  path.toReversed().reduce<object>((inner, name) => ({ populate: { [name]: inner } }), options);

type Raw = Readonly<Record<string, unknown>>;

/** Filters on the hidden attribute: one in every position, the others by themselves and negated. */
const filtersOn = ({ path, name }: Target): unknown[] => {
  const operands: unknown[] = [
    "x",
    null,
    ["x", "y"],
    { name: "x" },
    { id: 1 },
    ...OPERATORS.map((operator) => ({ [operator]: operator === "$between" ? ["a", "z"] : "1" })),
    { $not: { $contains: "H" } },
  ];
  return operands.flatMap((operand, index) => {
    const filter = nest(path, { [name]: operand });
    if (index > 0 && !isThorough) return [filter, { $not: filter }];
    const grouped = nest(path, { $or: [{ [name]: operand }, { id: { $gt: 0 } }] });
    return [filter, grouped, { $and: [filter] }, { $or: [{ id: 1 }, filter] }, { $not: filter }];
  });
};

const refusedQueries = (target: Target): Raw[] => {
  const { path, name, forbidden } = target;
  const dotted = [...path, name].join(".");
  const filters = filtersOn(target);
  const queries: Raw[] = [
    ...filters.map((filter) => ({ filters: filter })),
    { sort: dotted },
    { sort: `${dotted}.name:desc` },
    { sort: [`id`, dotted] },
    { sort: nest(path, { [name]: "asc" }) },
    { sort: nest(path, { [name]: { name: "asc" } }) },
    { ...nestPopulate(path, { fields: [name] }) },
    { ...nestPopulate(path, { fields: ["id", name] }) },
    { ...nestPopulate(path, { sort: name }) },
    { ...nestPopulate(path, { sort: { [name]: "desc" } }) },
  ];
  if (path.length > 0)
    queries.push(
      ...filtersOn({ ...target, path: [] }).map((filter) => ({ ...nestPopulate(path, { filters: filter }) })),
    );
  if (!forbidden) {
    queries.push(
      { populate: dotted },
      { populate: [dotted] },
      { ...nestPopulate(path, { populate: { [name]: true } }) },
      { ...nestPopulate(path, { populate: { [name]: { fields: ["id"] } } }) },
      { ...nestPopulate(path, { populate: { [name]: { count: true } } }) },
    );
  }
  return queries;
};

const answer = async (context: ReadContext, type: ContentType, raw: Raw): Promise<string> => {
  try {
    const { documents, pagination } = await readMany(context, type, raw);
    return JSON.stringify([itemsOf(documents), pagination]);
  } catch (error) {
    if (error instanceof HttpError) return `${error.status} ${error.message}`;
    throw error;
  }
};

const answers = (type: ContentType, raw: Raw): Promise<string[]> =>
  Promise.all(contexts.map((context) => answer(context, type, raw)));

test("there is something hidden behind every kind of attribute", () => {
  const names = new Set(targets.map(({ path, name }) => [...path, name].join(".")));
  for (const name of ["secret", "pin", "ghost", "hidden", "hiddenCover", "secretSeo", "vaults", "author.token"]) {
    expect(names).toContain(name);
  }
  for (const name of ["seo.key", "seo.links.url", "seo.links.safe", "categories.code", "related.pin", "createdBy"]) {
    expect(names).toContain(name);
  }
});

test.each(targets.map((target) => [`${target.type.singularName}.${[...target.path, target.name].join(".")}`, target]))(
  "%s is refused by name",
  async (_name, target) => {
    for (const raw of refusedQueries(target)) {
      const [first, second] = await answers(target.type, raw);
      expect(first, JSON.stringify(raw)).toMatch(/^400 Invalid /);
      expect(second).toBe(first);
    }
  },
);

test.each(
  targets.filter(({ forbidden }) => forbidden).map((target) => [[...target.path, target.name].join("."), target]),
)("%s is left out of what is populated", async (_name, { type, path, name }) => {
  const without = await answers(type, { ...nestPopulate(path, {}) });
  const forms: Raw[] = [
    nestPopulate(path, { populate: { [name]: true } }),
    nestPopulate(path, { populate: { [name]: { fields: ["name"], filters: { name: { $contains: "O" } } } } }),
    nestPopulate(path, { populate: { [name]: { count: true } } }),
    nestPopulate(path, { populate: name }),
  ].map((raw) => ({ ...raw }));
  for (const raw of forms) expect(await answers(type, raw), JSON.stringify(raw)).toEqual(without);
});

test("dynamic zones and relations to any type give nothing away", async () => {
  const refused: [ContentType, Raw][] = [
    [article, { filters: { sections: { by: "me" } } }],
    [article, { filters: { sections: { $notNull: true } } }],
    [article, { filters: { sections: { "blocks.quote": { by: "me" } } } }],
    [article, { filters: { sections: { "blocks.hero": { cta: { url: { $contains: "a" } } } } } }],
    [article, { filters: { sections: { $not: { "blocks.hero": { cta: { safe: { name: "gold" } } } } } } }],
    [article, { sort: "sections.by" }],
    [article, { populate: { sections: { on: { "blocks.quote": { fields: ["by"] } } } } }],
    [article, { populate: { sections: { on: { "blocks.quote": { filters: { by: "me" } } } } } }],
    [article, { populate: { sections: { on: { "blocks.hero": { populate: { cta: { fields: "url" } } } } } } }],
    [article, { populate: { sections: { on: { "blocks.hero": { populate: { cta: { sort: "url" } } } } } } }],
    [article, { populate: { sections: { on: { "shared.nope": true } } } }],
    [comment, { filters: { subject: { name: "x" } } }],
    [comment, { filters: { mentions: { id: 1 } } }],
    [comment, { sort: "mentions.name" }],
  ];
  for (const [type, raw] of refused) {
    const [first, second] = await answers(type, raw);
    expect(first, JSON.stringify(raw)).toMatch(/^400 Invalid /);
    expect(second).toBe(first);
  }
  const silent: [ContentType, Raw][] = [
    [comment, { populate: { subject: { on: { "api::vault.vault": true } } } }],
    [comment, { populate: { mentions: { on: { "api::vault.vault": { fields: ["name"] } } } } }],
    [comment, { populate: { mentions: { count: true }, subject: { count: true } } }],
  ];
  for (const [type, raw] of silent) {
    const [first, second] = await answers(type, raw);
    expect(first).toMatch(/^\[/);
    expect(second).toBe(first);
  }
});

test("whatever is populated, nothing hidden is shown", async () => {
  const star = { populate: "*" };
  const everything: [ContentType, Raw][] = [
    [article, star],
    [
      article,
      { populate: { author: star, categories: star, related: star, seo: { populate: { links: star, image: true } } } },
    ],
    [article, { populate: { links: star, sections: star, comments: star, remarks: star, localizations: star } }],
    [author, star],
    [author, { populate: { articles: { populate: { seo: star, links: star, sections: star } } } }],
    [category, { populate: { articles: star } }],
    [comment, star],
    [comment, { populate: { mentions: { on: { "api::article.article": star, "api::author.author": star } } } }],
    ...MARKS.flatMap((mark): [ContentType, Raw][] => [
      [article, { ...star, _q: mark }],
      [author, { ...star, _q: mark }],
      [category, { ...star, _q: mark }],
    ]),
  ];
  for (const [type, raw] of everything) {
    for (const status of ["published", "draft"]) {
      const [first, second] = await answers(type, { ...raw, status });
      expect(first).toMatch(/^\[/);
      expect(first).not.toContain("HIDDEN");
      expect(second, JSON.stringify(raw)).toBe(first);
    }
  }
});
