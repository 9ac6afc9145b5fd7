/** What `cms generate` does with its flags: prints the model, watches, or runs once. */
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "../exit-codes.ts";
import type { GenerateFlags } from "./flags.ts";
import { readInputs } from "./inputs.ts";
import { type Outcome, outcomeToJson, printOutcome } from "./outcome.ts";
import { openSources, type Project } from "./project.ts";
import { knownOutcome } from "./unchanged.ts";

const printModel = async (project: Project): Promise<number> => {
  const { loadModel } = await import("./load-model.ts");
  const { model, diagnostics } = await loadModel(project);
  printOutcome({ exitCode: exitCodes.fine, diagnostics, plan: undefined, milliseconds: 0 }, project);
  if (model === undefined) return exitCodes.refused;
  process.stdout.write(`${JSON.stringify(model, null, 2)}\n`);
  return exitCodes.fine;
};

/** Returns the outcome of the run. Loads the code that renders files only if something may change. */
const outcomeOf = async (project: Project, flags: GenerateFlags): Promise<Outcome> => {
  const inputs = readInputs(project, flags);
  const known = inputs && knownOutcome(project, inputs);
  if (known) return known;
  // A run is too short for optimized machine code to pay off: compiling it takes a fifth of the CPU time.
  setFlagsFromString("--no-opt");
  const { generate } = await import("./run.ts");
  return await generate(project, flags, { inputs });
};

/** Runs the command in the project at `root` and prints its outcome; returns the exit code. */
export const runGenerate = async (root: string, flags: GenerateFlags): Promise<number> => {
  const project = await openSources(root, flags.from);
  if (flags.printModel) return await printModel(project);
  if (flags.watch) {
    const { watch } = await import("./watch.ts");
    return await watch(project, flags);
  }
  const outcome = await outcomeOf(project, flags);
  if (flags.json) process.stdout.write(`${outcomeToJson(outcome)}\n`);
  else printOutcome(outcome, project);
  return outcome.exitCode;
};
