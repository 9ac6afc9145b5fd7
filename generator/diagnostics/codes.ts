/**
 * The single table of problems: CMS1xxx for JSON and its shape, CMS2xxx for the model that the schema files form
 * together. A code keeps its meaning forever; a retired code is never reused.
 */
import { nameProblems } from "./name-problems.ts";
import { optionProblems } from "./option-problems.ts";
import { relationProblems } from "./relation-problems.ts";
import { shapeProblems } from "./shape-problems.ts";

/** All problems by their names in code. */
export const problems = {
  ...shapeProblems,
  ...nameProblems,
  ...relationProblems,
  ...optionProblems,
};
