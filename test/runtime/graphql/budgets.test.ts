/** What the fields of one operation may spend together, however many names they have. */
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { freshDatabase } from "../../support/database.ts";
import { storeMany } from "./many-articles.ts";
import { type GraphqlServer, serve } from "./world.ts";

const formats = ["flat", "entity"] as const;
type Format = (typeof formats)[number];

let database: Database;
let statements = 0;
let servers: Readonly<Record<Format, GraphqlServer>>;

beforeAll(async () => {
  const stored = await freshDatabase("postgres");
  await storeMany(stored);
  const rows: Database["rows"] = (...asked) => {
    statements += 1;
    return stored.rows(...asked);
  };
  database = { ...stored, rows };
  servers = {
    flat: await serve({ database, graphql: { format: "flat" } }),
    entity: await serve({ database, graphql: { format: "entity" } }),
  };
});

/** A selection of documents, in the words of a format. */
const rows = (format: Format, selection: string): string =>
  format === "flat" ? `{ ${selection} }` : `{ data { attributes { ${selection} } } }`;

/** A query of one field under several names, with what differs between them. */
const named = (count: number, field: (index: number) => string): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(" ")} }`;

/** Both ways to answer: at once, and by the executor, which has to answer about the schema. */
const ways = (text: string): readonly string[] => [text, text.replace("{", "{ __schema { queryType { name } }")];

const spent = [
  {
    what: "to-many relations of sorts",
    field: (format: Format, index: number) =>
      `articles(sort: ["categories.name", "id"], pagination: { start: ${index}, limit: 1 }) ${rows(format, "title")}`,
    most: 2,
    message: "Invalid sort parameter at categories. Its keys lead through more than 2 to-many relations in all",
  },
  {
    what: "to-many relations of filters",
    field: (format: Format, index: number) =>
      `articles(filters: { categories: { articles: { title: { ne: "${index}" } } } }) ${rows(format, "title")}`,
    most: 15,
    message: "Invalid filters parameter at categories. It leads through more than 30 to-many relations in all",
  },
  {
    what: "listed values",
    field: (format: Format, index: number) =>
      `articles(filters: { title: { in: [${Array.from({ length: 100 }, (_, nth) => `"${index} ${nth}"`).join()}] } }) ${rows(format, "title")}`,
    most: 5,
    message: "Invalid filters parameter at title. It lists more than 500 values",
  },
  {
    what: "reads",
    field: (format: Format, index: number) =>
      `articles(pagination: { start: ${index}, limit: 1 }) ${rows(format, `author ${rows(format, "name")} cover ${rows(format, "url")}`)}`,
    most: 67,
    message: "Invalid query. With the 67 before it in this operation it reads 203 relations and media",
  },
] as const;

const cases = formats.flatMap((format) => spent.map((each) => [format, each.what, each] as const));

test.each(cases)("%s: the fields of an operation share a budget of %s", async (format, _, { field, most, message }) => {
  const { query } = servers[format];
  const some = await query(named(most, (index) => field(format, index)));
  expect(some.body).not.toHaveProperty("errors");
  for (const text of ways(named(most + 1, (index) => field(format, index)))) {
    expect((await query(text)).body).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({
          message: expect.stringContaining(message),
          extensions: expect.objectContaining({ code: "BAD_USER_INPUT" }),
        }),
      ]),
    });
  }
});

test("entity: fields that come after the budget of reads was spent are not planned", async () => {
  const [, , , { field }] = spent;
  const asked = named(190, (index) => field("entity", index));
  const { body } = await servers.entity.query(asked);
  const { errors, data }: { errors?: { message: string }[]; data?: object } = Object(body);
  expect(errors).toHaveLength(190 - 67);
  // A field that was planned would say how many there are before it.
  expect(new Set(errors?.map(({ message }) => message)).size).toBe(1);
  expect(Object.values(data ?? {}).filter((each) => each !== null)).toHaveLength(67);
});

test.each(formats)(
  "%s: the fields of an operation share a budget of rows, which an operation alone has",
  async (format) => {
    const { query } = await serve({ database, graphql: { format }, limits: { rows: 500 } });
    const field = (index: number) =>
      `articles(filters: { title: { ne: "${index}" } }, pagination: { limit: 60 }) ${rows(format, `author ${rows(format, "name")}`)}`;
    const ask = (count: number) => query(named(count, field));
    for (let time = 0; time < 2; time += 1) expect((await ask(4)).body).not.toHaveProperty("errors");
    for (const text of ways(named(5, field))) {
      expect((await query(text)).body).toHaveProperty(
        "errors.0.message",
        "Invalid query. What it asks for has more than 500 rows (limits.rows). Ask for fewer entries, or populate less",
      );
    }
  },
);

test("a request over REST has a budget of rows too", async () => {
  const { rest } = await serve({ database, limits: { rows: 100 } });
  expect((await rest("/articles?pagination[pageSize]=60")).status).toBe(200);
  for (let time = 0; time < 2; time += 1) {
    expect(await rest("/articles?pagination[pageSize]=60&populate=author")).toMatchObject({
      status: 400,
      body: { error: { name: "ValidationError", message: expect.stringContaining("limits.rows") } },
    });
  }
});

test.each(formats)(
  "%s: fields that ask for the same under several names have one read between them",
  async (format) => {
    const { query } = servers[format];
    const id = format === "flat" ? "documentId" : "id";
    const field = `articles(filters: { title: { contains: "1" } }, sort: "title") ${rows(format, `title categories ${rows(format, "name")}`)}`;
    const one = (nth: number) =>
      format === "flat"
        ? `article(${id}: "a${nth}") { title }`
        : `article(${id}: "a${nth}") { data { attributes { title } } }`;
    const counted = async (text: string): Promise<number> => {
      const before = statements;
      const { body } = await query(text);
      expect(body).not.toHaveProperty("errors");
      return statements - before;
    };
    expect(await counted(named(30, () => field))).toBe(await counted(`{ ${field} }`));
    expect(await counted(named(3, () => one(1)))).toBe(1);
    expect(await counted(named(3, (index) => one(index + 1)))).toBe(3);
    const { body } = await query(named(2, (index) => one(index + 1)));
    expect(JSON.stringify(body)).toMatch(/"a0":.*"Article 1".*"a1":.*"Article 2"/);
  },
);
