/**
 * The one table of what can be wrong: CMS1xxx about JSON and its shape, CMS2xxx about the model that the schema files
 * make together. A code keeps its meaning for ever; a retired one is not used again.
 */
import { nameProblems } from "./name-problems.ts";
import { optionProblems } from "./option-problems.ts";
import { relationProblems } from "./relation-problems.ts";
import { shapeProblems } from "./shape-problems.ts";

/** Every problem by its name in the program. */
export const problems = {
  ...shapeProblems,
  ...nameProblems,
  ...relationProblems,
  ...optionProblems,
};
