/**
 * Runs servers under load while injecting production faults, and compares the stored data with the acknowledged writes:
 * `npm run chaos -- --minutes 10 [--database postgres|pglite] [--seed 1] [--processes 2] [--clients 16] [--kills
 * 1] [--fault "locked table"]…`. Prints a table of faults, and exits with 1 if anything was lost, hung, wrong, or crashed.
 */
import { parseArgs } from "node:util";
import { faults } from "./faults.ts";
import { isClean, table } from "./report.ts";
import { runChaos } from "./run.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    database: { type: "string", default: "postgres" },
    seed: { type: "string", default: "1" },
    processes: { type: "string", default: "2" },
    clients: { type: "string", default: "16" },
    kills: { type: "string", default: "1" },
    duration: { type: "string", default: "3000" },
    fault: { type: "string", multiple: true },
  },
});

const numberOf = (name: "minutes" | "seed" | "processes" | "clients" | "kills" | "duration"): number => {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`--${name} takes a number above zero`);
};

const databaseOf = (): "postgres" | "pglite" => {
  if (values.database === "postgres" || values.database === "pglite") return values.database;
  throw new Error("--database is postgres or pglite");
};

const unknown = values.fault?.find((name) => faults.every((fault) => fault.name !== name));
if (unknown !== undefined) {
  throw new Error(`no fault "${unknown}"; there are: ${faults.map(({ name }) => name).join(", ")}`);
}

const until = Date.now() + numberOf("minutes") * 60_000;
const trials = await runChaos({
  database: databaseOf(),
  processes: databaseOf() === "pglite" ? 1 : numberOf("processes"),
  seed: numberOf("seed"),
  clients: numberOf("clients"),
  kills: numberOf("kills"),
  duration: numberOf("duration"),
  only: values.fault,
  goesOn: () => Date.now() < until,
  onTrial({ fault, kills, acknowledged, recovery, findings }) {
    console.log(
      `${fault}: ${kills} kills, ${acknowledged} acknowledged, recovered in ${(recovery / 1000).toFixed(1)} s`,
    );
    for (const finding of findings) console.log(`  ${finding}`);
  },
});

console.log(`\n${table(trials)}`);
// The PostgreSQL server package would make the process exit with 0.
process.exit(isClean(trials) ? 0 : 1);
