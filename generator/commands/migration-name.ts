import { InvalidArgumentError } from "commander";

/** Reads the name of a migration as the command line has it. */
export const parseMigrationName = (text: string): string => {
  if (!/[a-z0-9]/i.test(text)) throw new InvalidArgumentError("It has no letters or digits to name a migration by.");
  return text;
};
