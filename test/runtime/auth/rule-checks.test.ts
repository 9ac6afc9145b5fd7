/** Rules of the configuration: which of them cannot hold, and how those of a role add up. */
import { expect, test } from "vitest";
import example from "../../../generated/index.ts";
import type { Caller } from "../../../runtime/access/caller.ts";
import { can, createRowAccess } from "../../../runtime/access/row-rules.ts";
import { ConfigError } from "../../../runtime/base/thrown.ts";
import { type ConfigInput, configSchema } from "../../../runtime/config/config.ts";
import type { RuleUser } from "../../../runtime/config/permissions.ts";
import { createQueries } from "../../../runtime/query/index.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";

const article = (name: string) => `api::article.article.${name}`;

test("rules that cannot hold stop the server, and each of them is named with what it means", () => {
  const rules = [
    can("api::artcle.article.find", {}),
    can(article("fnd"), {}),
    can(article("find"), { where: () => ({ autor: { name: "x" } }) }),
    can(article("find"), { where: () => ({ author: { nme: "x" } }) }),
    can(article("find"), { where: ({ user }) => ({ author: { id: Reflect.get(user, "team") } }) }),
    can(article("find"), { where: () => ({ title: { $in: [] } }), locales: ["dee"] }),
    can("api::author.author.find", { locales: ["de"] }),
    { action: article("find"), where: () => Promise.resolve({ id: 1 }) },
  ];
  const parsed = configSchema.parse({
    locales: { default: "en", codes: ["en", "de"] },
    permissions: { public: rules },
  });
  const faults = [
    'permissions.public: api::artcle.article.find: rules are about documents, and there is no content type "api::artcle.article". Did you mean "api::article.article"?',
    'permissions.public: api::article.article.fnd: there is no action "fnd" on documents. Did you mean "find"?',
    'permissions.public: api::article.article.find: where: Invalid key autor. Did you mean "author"?',
    'permissions.public: api::article.article.find: where: Invalid key nme at author. Did you mean "name"?',
    'permissions.public: api::article.article.find: where: "id" has no value',
    'permissions.public: api::article.article.find: locales: "dee" is not configured. Did you mean "de"?',
    'permissions.public: api::article.article.find: where: "$in" is empty',
    'permissions.public: api::author.author.find: locales: "api::author.author" is not localized',
    "permissions.public: api::article.article.find: where: it returns no filters",
  ];
  expect(() => createQueries(createRegistry(example), parsed, "a secret")).toThrow(new ConfigError(faults.join("\n")));
});

/** The rules of a role with these permissions, for a user. */
const rowsOf = (permissions: NonNullable<ConfigInput["permissions"]>[string]) =>
  createRowAccess(configSchema.parse({ permissions: { role: permissions } }))("role", { id: 7, documentId: "u" });

test("rules add up, and an action that is also granted without a rule has none", () => {
  const find = article("find");
  const both = rowsOf([can(find, { where: () => ({ id: 1 }) }), can(find, { locales: ["de"] }), article("update")]);
  expect(both?.filters.get(find)).toEqual([{ where: { id: 1 } }, { locales: ["de"] }]);
  expect(both?.filters.has(article("update"))).toBe(false);
  expect(rowsOf([can(find, { where: () => ({ id: 1 }) }), find])).toBeUndefined();
  expect(rowsOf([find])).toBeUndefined();
});

test("filters that come out empty or without a value are met by nothing", () => {
  const none = [
    {},
    [],
    Promise.resolve({ id: 1 }),
    { id: { $in: [] } },
    { id: undefined },
    { author: {} },
    { $or: [] },
    { id: Number.NaN },
  ];
  for (const where of none) {
    const rule = { action: article("find"), where: () => where };
    expect(rowsOf([rule])?.filters.get(article("find"))).toEqual([]);
  }
});

test("callers whose rules leave all documents get the values of their own queries, whatever their rules have", () => {
  const rules = [
    can(article("find"), { where: ({ user }) => ({ author: { id: user.id } }) }),
    can(article("find"), {}),
  ];
  const parsed = configSchema.parse({ permissions: { role: rules } });
  const registry = createRegistry(example);
  const queries = createQueries(registry, parsed, "a secret");
  const type = registry.contentType("api::article.article");
  const valuesOf = (user?: RuleUser) => {
    const rows = createRowAccess(parsed)("role", user);
    const caller: Caller = { kind: "user", can: () => true, ...(rows ? { rows } : {}) };
    return queries.prepare(caller, type, "filters[title]=Tea", { single: false, code: false }).checked.parameters;
  };
  expect(valuesOf()).toContain("Tea");
  expect(valuesOf({ id: 7, documentId: "u" })).toContain("Tea");
});

const farAway = () => ({ articles: { tags: { articles: { author: { name: "a" } } } } });

test("a role may have rules for any number of actions, whatever relations they follow", () => {
  const actions = ["find", "findOne", "readDraft", "create", "update", "delete", "publish", "unpublish"];
  const rules = actions.map((action) => ({ action: `api::author.author.${action}`, where: farAway }));
  const parsed = configSchema.parse({ permissions: { role: rules } });
  const rows = createRowAccess(parsed)("role", { id: 7, documentId: "u" });
  const queries = createQueries(createRegistry(example), parsed, "a secret");
  const caller: Caller = { kind: "user", can: () => true, ...(rows ? { rows } : {}) };
  for (const { type } of Object.values(example.contentTypes))
    expect(() => queries.prepare(caller, type, "", { single: false, code: false })).not.toThrow();
});
