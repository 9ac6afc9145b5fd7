/**
 * The one table of what can be wrong: CMS1xxx about JSON and its shape, CMS2xxx about the model that the schema files
 * make together, CMS3xxx about output. A code keeps its meaning for ever; a retired one is not used again.
 */
import { modelProblems } from "./model-problems.ts";
import { shapeProblems } from "./shape-problems.ts";

/** Every problem by its name in the program. */
export const problems = { ...shapeProblems, ...modelProblems };
