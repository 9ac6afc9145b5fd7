/**
 * Random questions of three callers to twin databases that differ in nothing but what the caller may not see: REST and
 * both formats of GraphQL answer byte for byte alike. `npm run fuzz -- --queries 20000 --seed 7` asks more.
 */
import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { createRandom } from "../../../scripts/chaos/random.ts";
import { type GraphqlServer, reader, schemaWith, serve } from "../graphql/world.ts";
import { MARKS } from "../query/hidden.ts";
import { kept, twins } from "./callers.ts";
import { graphqlQuestion } from "./graphql-questions.ts";
import { restQuestion } from "./rest-questions.ts";

const QUERIES = Number(process.env["FUZZ_QUERIES"] ?? 450);
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

/** Who asks which database. One pair of servers answers all, so that callers share whatever is kept between requests. */
let asking: { database: Database | undefined; caller: Caller } = { database: undefined, caller: reader };
let servers: Readonly<Record<"flat" | "entity", GraphqlServer>>;
let worlds: readonly (readonly [Database, Database])[];

beforeAll(async () => {
  worlds = await Promise.all(kept.map(twins));
  const [[first] = []] = worlds;
  if (!first) throw new Error("there are no databases");
  const database = new Proxy(first, { get: (_, name) => Reflect.get(asking.database ?? first, name) });
  const limits = { depthLimit: 30, aliasLimit: 10_000, tokenLimit: 100_000 };
  const serving = (format: "flat" | "entity") =>
    serve({ database, caller: () => asking.caller, graphql: { format, ...limits } });
  servers = { flat: await serving("flat"), entity: await serving("entity") };
});

/** Asks both databases the same questions, half of REST and the rest of both formats of GraphQL. */
async function* ask(databases: readonly Database[], caller: Caller, queries: number): AsyncGenerator<Asked> {
  const random = createRandom(SEED);
  for (let asked = 0; asked < queries; asked += 1) {
    const format = random.pick(["flat", "entity"] as const);
    const isRest = random.chance(0.5);
    const of = { random, caller };
    const question = isRest ? restQuestion(of) : graphqlQuestion(of, schemas[format]);
    const server = servers[format];
    const answers: string[] = [];
    for (const database of databases) {
      asking = { database, caller };
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
