/**
 * Predicts the outcome of a full run if the inputs did not change since the last one and its files are still there, so
 * nothing has to be rendered to find out. Anything else takes a full run.
 */
import { rememberShared } from "../../output/generated-here.ts";
import { manifestFiles } from "../../output/manifest.ts";
import { Memory, type Result } from "../../output/memory.ts";
import { isPending } from "../../output/write.ts";
import { missingPackages } from "../../packages/imported-packages.ts";
import { exitCodes } from "../exit-codes.ts";
import type { GenerateFlags } from "./flags.ts";
import { type Inputs, readInputs } from "./inputs.ts";
import type { Outcome } from "./outcome.ts";
import type { Project } from "./project.ts";

const RUN = "run";

/** The predicted outcome of a full run; undefined if unknown. */
export const knownOutcome = ({ root, folder }: Project, inputs: Inputs): Outcome | undefined => {
  const started = performance.now();
  if (isPending(folder)) return undefined;
  const made = new Memory(root, folder).recall(RUN, inputs.digest);
  if (made === undefined) return undefined;
  const { files, diagnostics = [] } = made;
  const names = new Set(files.map(({ path }) => path));
  if (manifestFiles(folder).some((name) => !names.has(name))) return undefined;
  rememberShared(root, files);
  return {
    exitCode: exitCodes.fine,
    diagnostics,
    plan: {
      files: files.map(({ path, text }) => ({ path, action: "keep", before: text, after: text, edited: false })),
    },
    stops: [],
    missing: missingPackages(folder, files),
    milliseconds: performance.now() - started,
  };
};

/** Records a run that began by reading `inputs` and has written its outcome. */
export const noteRun = (
  memory: Memory,
  project: Project,
  flags: GenerateFlags,
  inputs: Inputs | undefined,
  { plan, migration, replaced, diagnostics }: Outcome,
  own: Result["own"],
): void => {
  if (inputs === undefined || inputs.isYoung || plan === undefined || own === undefined) return;
  // It may have waited for another run, and read what that one wrote.
  const now = readInputs(project, flags, inputs.environment);
  const isOwn =
    migration !== undefined || replaced !== undefined ? now?.sources === inputs.sources : now?.digest === inputs.digest;
  if (now === undefined || !isOwn) return;
  const files = plan.files.flatMap(({ path, after }) => (after === undefined ? [] : [{ path, text: after }]));
  memory.remember(RUN, now.digest, { files, own, diagnostics });
};
