/**
 * Lists each statement of the example that a distributed database, by its documentation, does not run or runs
 * differently: the statements that `cms migrate`, `cms seed` and a server send to a PostgreSQL that logs them. `npm run
 * distributed-sql`, with `-- --all` for whole statements. Run `npm run build` first.
 */
import { parseArgs } from "node:util";
import { bareStatements, DATABASES } from "./limits.ts";
import { statementsOfExample } from "./statements.ts";

const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });
const WIDTH = 110;

const shown = (statement: string): string =>
  values.all || statement.length <= WIDTH ? statement : `${statement.slice(0, WIDTH)} …`;

const distinct = [...new Set((await statementsOfExample()).flatMap(bareStatements))];

for (const { name, note, limits } of DATABASES) {
  const found = limits.map((limit) => ({ ...limit, hits: distinct.filter((each) => limit.matches.test(each)) }));
  const failing = new Set(found.flatMap(({ effect, hits }) => (effect === "fails" ? hits : [])));
  console.log(`\n${name} (${note}): ${failing.size} of ${distinct.length} statements do not run`);
  for (const { what, effect, source, hits } of found) {
    console.log(`  ${what}: ${hits.length}${effect === "otherwise" && hits.length > 0 ? ", which run otherwise" : ""}`);
    if (hits.length === 0) continue;
    console.log(`    ${source}`);
    for (const statement of hits) console.log(`    - ${shown(statement)}`);
  }
}
