/** Every kind of relation becomes every other: its targets are there afterwards and on the way back, or it is refused. */
import { expect, onTestFinished, test } from "vitest";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { migrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

const kinds = ["oneToOne", "manyToOne", "oneToMany", "manyToMany", "morphToOne", "morphToMany"] as const;
type Kind = (typeof kinds)[number];
const isMany = (kind: Kind): boolean => kind.endsWith("ToMany");
const isMorph = (kind: Kind): boolean => kind.startsWith("morph");

const all = kinds.flatMap((from) =>
  kinds.filter((to) => to !== from).map((to) => ({ name: `${from}_${to}`.toLowerCase(), from, to })),
);
type Change = (typeof all)[number];

const author = "api::author.author";
const relation = (kind: Kind) => ({ type: "relation", relation: kind, ...(isMorph(kind) ? {} : { target: author }) });
const library = (side: "from" | "to") => ({
  "book/schema.json": schema("book", Object.fromEntries(all.map((each) => [each.name, relation(each[side])]))),
  "author/schema.json": schema("author", { name: { type: "string" } }),
});

const insert = ({ name, from }: Change): string => {
  const type = isMorph(from) ? `, ${name}_type = '${author}'` : "";
  if (!isMany(from)) return `update books set ${name}_document_id = 'a2'${type};`;
  const columns = isMorph(from) ? ", document_type" : "";
  const value = isMorph(from) ? `, '${author}'` : "";
  return `insert into books_${name} (version_id, document_id, position${columns})
    select id, 'a2', 1${value} from books union all select id, 'a1', 2${value} from books;`;
};

/** The targets of a relation in their order, each with its type where that is kept. */
const read = ({ name }: Change, kind: Kind): string => {
  const type = isMorph(kind) ? " || ' ' || " : "";
  return isMany(kind)
    ? `(select string_agg(document_id${type}${isMorph(kind) ? "document_type" : ""}, ',' order by position) from books_${name})`
    : `(select ${name}_document_id${type}${isMorph(kind) ? `${name}_type` : ""} from books)`;
};
const targets = (kind: Kind, keys: readonly string[]): string =>
  keys.map((key) => (isMorph(kind) ? `${key} ${author}` : key)).join(",");
const first = (kind: Kind): readonly string[] => (isMany(kind) ? ["a2", "a1"] : ["a2"]);

test.each(inTurn())("relations of every kind become every other on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(library("from"));
  await lab.up();
  await lab.run(`insert into documents values ('b1', 'api::book.book'), ('a1', '${author}'), ('a2', '${author}');
    insert into books (document_id, created_at, updated_at, published_at) values ('b1', now(), now(), now());
    ${all.map(insert).join("\n")}`);
  const stored = async (side: "from" | "to") => {
    const [row] = await lab.rows(`select ${all.map((each) => read(each, each[side])).join(", ")}`);
    return Object.fromEntries(all.map(({ name }, index) => [name, row?.[index]]));
  };

  const refusal = String(await lab.change(library("to")).catch(String));
  const flags = [...new Set([...refusal.matchAll(/--allow (\S+)/g)].map(([, flag]) => String(flag)))];
  expect(flags.filter((flag) => !flag.startsWith("narrow:"))).toEqual([]);
  // What is refused is what loses something: all but the first of several, and what is of another type.
  const losing = all.filter(({ from, to }) => (isMany(from) && !isMany(to)) || (isMorph(from) && !isMorph(to)));
  for (const { name } of losing) expect(flags.join(" ")).toContain(name);
  expect(flags).toHaveLength(losing.length);
  await lab.change(library("to"), flags);
  await lab.up();
  const expected = all.map(({ name, from, to }) => [name, targets(to, isMany(to) ? first(from) : ["a2"])]);
  expect(await stored("to")).toEqual(Object.fromEntries(expected));
  await lab.down();
  const left = all.map(({ name, from, to }) => [name, targets(from, isMany(to) ? first(from) : ["a2"])]);
  expect(await stored("from")).toEqual(Object.fromEntries(left));
});

const book = (one: object, many: object) => ({
  ...library("from"),
  "book/schema.json": schema("book", { one, many }),
});

test.each(inTurn())("of a polymorphic relation the targets of the one type that is left stay on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(book(relation("morphToOne"), relation("morphToMany")));
  await lab.up();
  await lab.run(`insert into documents values ('b1', 'api::book.book'), ('b2', 'api::book.book'), ('a1', '${author}');
    insert into books (document_id, created_at, updated_at, published_at, one_document_id, one_type) values
      ('b1', now(), now(), now(), 'b2', 'api::book.book'), ('b2', now(), now(), now(), 'a1', '${author}');
    insert into books_many (version_id, document_id, position, document_type)
      select id, 'b2', 1, 'api::book.book' from books union all select id, 'a1', 2, '${author}' from books;`);
  await lab.change(book(relation("manyToOne"), relation("oneToOne")), ["narrow:book.one", "narrow:book.many"]);
  await lab.up();
  expect(await lab.rows("select document_id, one_document_id, many_document_id from books order by 1")).toEqual([
    ["b1", null, "a1"],
    ["b2", "a1", "a1"],
  ]);
});
