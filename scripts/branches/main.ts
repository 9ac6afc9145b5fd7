/**
 * Works on three branches while `cms dev` runs in a terminal: `npm run branches [-- MINUTES [SEED [STEPS]]]`, one
 * minute by default. At random, it edits schema files, reverts edits, writes content, and checks out and merges
 * branches; after each step, all content in the checked-out schema must have its last written value, from whatever
 * branch. Exits with 1 and names the step if any does not. Run `npm run build` first; needs `git` and `script`.
 */
import { isDeepStrictEqual as isEqual } from "node:util";
import { createRandom } from "../chaos/random.ts";
import { Content } from "./content.ts";
import { type Attributes, places, Project, type Schema } from "./project.ts";

const [minutes = 1, seed = Date.now() % 100_000, most = Infinity] = process.argv.slice(2).map(Number);
const random = createRandom(seed);
const BRANCHES = ["main", "left", "right"];
const text = { type: "string" };
const integer = { type: "integer" };

/** Attributes that come and go. Their names say what they are, except for one that changes its type. */
const POOL: Record<"page" | "part" | "note", Attributes> = {
  page: {
    alpha: text,
    beta: { type: "text" },
    gamma: integer,
    delta: { type: "boolean" },
    epsilon: { ...text, default: "given", required: true },
    zeta: { type: "biginteger" },
    parts: { type: "component", component: "shared.part", repeatable: true },
  },
  part: { one: text, two: integer, three: { ...text, default: "given", required: true } },
  note: { title: text, body: { type: "text" } },
};
const FLIPS: readonly object[] = [integer, { type: "biginteger" }];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const edited = (schema: Schema): Schema => {
  if (random.chance(0.1)) return { ...schema, note: schema.note ? undefined : { title: text } };
  if (random.chance(0.15)) {
    const flip = random.pick(FLIPS.filter((each) => !isEqual(each, schema.page["flip"])));
    return { ...schema, page: { ...schema.page, flip } };
  }
  const place = random.pick(places.filter((each) => schema[each] !== undefined));
  const attributes = { ...schema[place] };
  const name = random.pick(Object.keys(POOL[place]));
  if (name in attributes && Object.keys(attributes).length > 1) delete attributes[name];
  else attributes[name] = POOL[place][name] ?? text;
  return { ...schema, [place]: attributes };
};

/** Saves, and approves what `cms dev` asks about. */
const save = async (project: Project, content: Content, schema: Schema): Promise<void> => {
  const from = project.printed.length;
  project.save(schema);
  let asked: readonly string[] = [];
  await project.until("the new schema", async () => {
    asked = [
      ...new Set(
        [...project.printed.slice(from).matchAll(/--allow ((?:(?:drop|narrow):\S+ ?)+)/g)].flatMap(([, flags = ""]) =>
          flags.trim().split(" "),
        ),
      ),
    ];
    return asked.length > 0 || (await content.shows(schema));
  });
  if (asked.length === 0) return;
  say(`     allows ${asked.join(" ")}`);
  await project.run("generate", "--allow", ...asked);
  await project.until("the schema that was allowed", () => content.shows(schema));
};

const merge = async (project: Project, other: string): Promise<void> => {
  project.commit();
  const status = project.git("merge", "--quiet", "--no-edit", other);
  if (status !== 0) project.save(project.read());
  await project.run("migrate", "rebase");
  project.commit();
};

const checkout = (project: Project, branch: string): void => {
  project.commit();
  if (project.git("checkout", "--quiet", branch) !== 0) throw new Error(`git does not check out ${branch}`);
};

const step = async (project: Project, content: Content): Promise<void> => {
  const before = project.read();
  const chance = random.next();
  if (chance < 0.4) return content.write(before);
  if (chance < 0.65) {
    const after = edited(before);
    say(`     ${JSON.stringify(after)}`);
    await save(project, content, after);
    if (!random.chance(0.3)) return;
    say("     takes it back");
    return save(project, content, before);
  }
  const branch = random.pick(BRANCHES);
  if (chance < 0.85) {
    say(`     checks ${branch} out`);
    checkout(project, branch);
  } else {
    say(`     merges ${branch}`);
    await merge(project, branch);
  }
};

const main = async (): Promise<void> => {
  say(`seed ${seed}`);
  const project = new Project();
  const content = new Content(project, random);
  const end = Date.now() + minutes * 60_000;
  try {
    await project.start({ page: { title: text, flip: integer }, part: { one: text }, note: undefined });
    for (const branch of BRANCHES.slice(1)) project.git("branch", branch);
    let steps = 0;
    for (; Date.now() < end && steps < most; steps += 1) {
      say(`${String(steps).padStart(4)}`);
      await step(project, content);
      await project.until("the content of the branch", () => content.isThere(project.read()));
    }
    for (const branch of BRANCHES) {
      checkout(project, branch);
      await project.until(`the content of ${branch}`, () => content.isThere(project.read()));
    }
    say(`${steps} steps, ${content.compared} values compared, none lost`);
  } catch (error) {
    say(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}\n${content.difference}`);
    process.exitCode = 1;
  } finally {
    await project.stop();
  }
};

await main();
