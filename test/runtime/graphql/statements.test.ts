/** How many SQL statements a selection takes: a number that the selection alone decides. */
import { beforeAll, expect, test } from "vitest";
import { freshDatabase, recording } from "../../support/database.ts";
import { COUNT, storeMany } from "./many-articles.ts";
import type { Format } from "./random-selections.ts";
import { serve } from "./world.ts";

let recorded: ReturnType<typeof recording>;
beforeAll(async () => {
  const database = await freshDatabase("postgres");
  await storeMany(database);
  recorded = recording(database);
});

/** Names of fields that lead to documents or files; everything else is written alike in both formats. */
const inFormat = (format: Format, text: string): string =>
  format === "flat"
    ? text.replaceAll("<", "{").replaceAll(">", "}")
    : text.replaceAll("<", "{ data { attributes {").replaceAll(">", "} } }");

interface Selection {
  readonly what: string;
  /** Below an article; `<` and `>` stand around what is selected of documents and files. */
  readonly text: string;
  /** How many statements it takes, beside the one for the page. */
  readonly more: number;
}

const selections: readonly Selection[] = [
  { what: "attributes", text: "title rating createdAt", more: 0 },
  { what: "media", text: "cover < url > gallery(pagination: { limit: 1 }) < url >", more: 2 },
  {
    what: "relations in relations",
    text: "author < name avatar < url > boss < name boss < name > > articles < title > >",
    more: 5,
  },
  {
    what: "aliases with arguments of their own",
    text: `one: categories(pagination: { limit: 1 }, sort: "name:desc") < name >
      other: categories(filters: { position: { gt: 3 } }) < name position > categories < name >`,
    more: 3,
  },
  {
    what: "fragments in fragments",
    text: "...A ... on Article { author < ...P > } ... @include(if: true) { related < ...A > }",
    more: 5,
  },
  {
    what: "components, whose lists of files are cut by the database and not read with single files,",
    text: "seo { title image < url > images < url > topics < name > links { label owner < name > } }",
    more: 4,
  },
  {
    what: "repeatable components",
    text: 'links(filters: { label: { eq: "link" } }, sort: "label") { label icon < url > owner < name > }',
    more: 2,
  },
  {
    what: "zones",
    text: "sections { __typename ... on ComponentBlocksQuote { text } ... on ComponentBlocksHero { heading image < url > cta { label owner < name > } } }",
    more: 2,
  },
];

const fragments = "fragment A on Article { title categories < name > } fragment P on Author { name boss < name > }";

const roots: Readonly<Record<Format, (limit: number, text: string) => string>> = {
  flat: (limit, text) => `{ articles(pagination: { limit: ${limit} }, sort: "title") { ${text} } }`,
  entity: (limit, text) =>
    `{ articles(pagination: { limit: ${limit} }, sort: "title") { data { attributes { ${text} } } } }`,
};

const cases = selections.flatMap((selection) =>
  (["flat", "entity"] as const).map((format) => [selection.what, format, selection] as const),
);

test.each(cases)(
  "%s take as many statements for one row as for sixty, in the %s format",
  async (_what, format, { text, more }) => {
    const { query } = await serve({
      database: recorded.database,
      graphql: { format, depthLimit: 20 },
      cache: { enabled: false },
    });
    const used = text.includes("...A") ? fragments : "";
    const counted = async (limit: number): Promise<number> => {
      const before = recorded.statements.length;
      const { body } = await query(inFormat(format, `${roots[format](limit, text)} ${used}`));
      expect(body).not.toHaveProperty("errors");
      return recorded.statements.length - before;
    };
    const totals = format === "entity" ? 1 : 0;
    expect([await counted(1), await counted(7), await counted(COUNT)]).toEqual(
      Array.from({ length: 3 }, () => 1 + totals + more),
    );
  },
);
