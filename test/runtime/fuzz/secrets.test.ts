/**
 * Random questions of three callers to twin databases that differ in nothing but what the caller may not see: REST and
 * both formats of GraphQL answer byte for byte alike. `npm run fuzz -- --queries 20000 --seed 7` asks more.
 */
import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import type { Database } from "../../../runtime/database/database.ts";
import type { Uid } from "../../../runtime/schema/content-type.ts";
import { createRandom } from "../../../scripts/chaos/random.ts";
import { RUNS } from "../../support/thorough.ts";
import { type GraphqlServer, reader, schemaWith, serve } from "../graphql/world.ts";
import { MARKS } from "../query/hidden.ts";
import { type Kept, kept, twins } from "./callers.ts";
import { graphqlQuestion } from "./graphql-questions.ts";
import { graphqlProbe, restProbe } from "./probes.ts";
import { restQuestion } from "./rest-questions.ts";

const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? RUNS.secrets);
/** So many find a leak. */
const PLANTED = 1500;
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261);
const TIME = { timeout: 60_000 + QUERIES * 200 };

const schemas = {
  flat: schemaWith(undefined, { format: "flat" }),
  entity: schemaWith(undefined, { format: "entity" }),
};

interface Asked {
  readonly question: string;
  readonly answers: readonly string[];
}

/** Who answers a question, as the server sees them: the caller that it was made for, unless a leak is planted. */
type As = (question: string) => Caller;

/** Who asks which database. One pair of servers answers all, so that callers share whatever is kept between requests. */
let asking: { database: Database | undefined; caller: Caller } = { database: undefined, caller: reader };
const unchanged = (text: string): string => text;
/** What becomes of the statements of a server that has a fault. */
let statement = unchanged;
let servers: Readonly<Record<"flat" | "entity", GraphqlServer>>;
let worlds: readonly (readonly [Database, Database])[];

beforeAll(async () => {
  worlds = await Promise.all(kept.map(twins));
  const [[first] = []] = worlds;
  if (!first) throw new Error("there are no databases");
  const database = new Proxy(first, {
    get(_, name) {
      const asked = asking.database ?? first;
      const rows: Database["rows"] = (text, parameters) => asked.rows(statement(text), parameters);
      return name === "rows" ? rows : Reflect.get(asked, name);
    },
  });
  const limits = { depthLimit: 30, aliasLimit: 10_000, tokenLimit: 100_000 };
  const serving = (format: "flat" | "entity") =>
    // Nothing is kept from one request to the next: each may ask another database.
    serve({ database, caller: () => asking.caller, graphql: { format, ...limits }, cache: { enabled: false } });
  servers = { flat: await serving("flat"), entity: await serving("entity") };
});

/** Asks both databases the same questions, half of REST and the rest of both formats of GraphQL; most of each are aimed. */
async function* ask(
  databases: readonly Database[],
  caller: Caller,
  queries: number,
  as: As = () => caller,
): AsyncGenerator<Asked> {
  const random = createRandom(SEED);
  for (let asked = 0; asked < queries; asked += 1) {
    const format = random.pick(["flat", "entity"] as const);
    const isRest = random.chance(0.5);
    const of = { random, caller };
    const isAimed = random.chance(0.65);
    const atRest = () => (isAimed ? restProbe(of) : restQuestion(of));
    const inGraphql = () => (isAimed ? graphqlProbe(of, format) : graphqlQuestion(of, schemas[format]));
    const question = isRest ? atRest() : inGraphql();
    const server = servers[format];
    const answers: string[] = [];
    for (const database of databases) {
      asking = { database, caller: as(question) };
      const { status, text } = isRest ? await server.rest(question) : await server.query(question);
      answers.push(`${status} ${text}`);
    }
    yield { question, answers };
  }
}

test.each(kept.map((one, index) => ({ ...one, index })))(
  "$name learns nothing that is kept from them",
  TIME,
  async ({ caller, index }) => {
    const queries = QUERIES / kept.length;
    let told = 0;
    for await (const { question, answers } of ask(worlds[index] ?? [], caller, queries)) {
      const [first, second] = answers;
      expect(second, question).toBe(first);
      for (const mark of MARKS) expect(first, question).not.toContain(mark);
      expect(first, question).not.toMatch(/^5/);
      if (first?.startsWith("200") && !first.includes('"errors"')) told += 1;
    }
    // Refusing everything would prove nothing.
    expect(told).toBeGreaterThan(queries / 5);
  },
);

test.each(kept.map(({ name }, index) => ({ name, index })))(
  "the questions do reach what is kept from $name: who may see it is told",
  TIME,
  async ({ index }) => {
    let different = 0;
    for await (const { answers } of ask(worlds[index] ?? [], reader, 1000)) {
      if (answers[0] !== answers[1]) different += 1;
      if (different === 3) return;
    }
    expect.fail("all answers are alike");
  },
);

/** A fault of the server: a caller may do one thing more, or a statement is another, where a question has a word. */
interface Leak {
  readonly what: string;
  readonly of: string;
  readonly word: RegExp;
  readonly action?: string;
  /** A type of which a list is forgotten. */
  readonly unlisted?: Uid;
  readonly sql?: (text: string) => string;
}

/** Counts drafts with what is published. */
const countingDrafts = (text: string): string =>
  text.startsWith("select count(*)") ? text.replace(/"\w+"\."published_at" is not null/, "true") : text;

const leaks: readonly Leak[] = [
  { what: "drafts, by publication", of: "the public", word: /publicationFilter|hasPub/, action: "category.readDraft" },
  { what: "drafts, by filters", of: "the public", word: /filters/, action: "article.readDraft" },
  { what: "drafts, by sorts", of: "the public", word: /sort/, action: "article.readDraft" },
  { what: "drafts, by totals", of: "the public", word: /./, sql: countingDrafts },
  { what: "types, by filters", of: "a restricted role", word: /filters/, action: "author.find" },
  { what: "types, by sorts", of: "a restricted role", word: /sort/, action: "author.find" },
  { what: "types, by what is shown", of: "a restricted role", word: /populate|author \{/, action: "author.find" },
  { what: "numbers, by sorts", of: "a token with a list", word: /sort/, unlisted: "api::article.article" },
  {
    what: "texts, by filters",
    of: "a token with a list",
    word: /filters/,
    unlisted: "api::article.article",
  },
  { what: "texts, by a search", of: "a token with a list", word: /_q=/, unlisted: "api::article.article" },
  {
    what: "what relations show",
    of: "a token with a list",
    word: /populate|avatar|boss|age/,
    unlisted: "api::author.author",
  },
];

/** The caller as a faulty server sees them. */
const faulty = ({ caller }: Kept, { word, action, unlisted }: Leak): As => {
  const also = action && `api::${action.split(".")[0]}.${action}`;
  const can = (asked: string): boolean => asked === also || caller.can(asked);
  const lists = [...(caller.fields ?? [])].filter(([uid]) => uid !== unlisted);
  const leaking: Caller = caller.fields ? { ...caller, can, fields: new Map(lists) } : { ...caller, can };
  return (question) => (word.test(decodeURIComponent(question)) ? leaking : caller);
};

test.each(leaks)("the questions find a server that tells $of of $what", TIME, async (leak) => {
  const index = kept.findIndex(({ name }) => name === leak.of);
  const one = kept[index];
  if (!one) throw new Error(`nobody is ${leak.of}`);
  statement = leak.sql ?? unchanged;
  try {
    for await (const { answers } of ask(worlds[index] ?? [], one.caller, PLANTED / kept.length, faulty(one, leak))) {
      if (answers[0] !== answers[1]) return;
    }
  } finally {
    statement = unchanged;
  }
  expect.fail("all answers are alike");
});
