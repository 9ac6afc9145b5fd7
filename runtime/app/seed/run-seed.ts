import { existsSync } from "node:fs";
import path from "node:path";
import { SetupError } from "../../base/setup-error.ts";
import { traceOf } from "../../base/thrown.ts";
import type { Services } from "../../http/services.ts";
import { loadModule } from "../loader/load-module.ts";
import { createSeedContext, type SeedCount } from "./context.ts";
import type { Seed } from "./seed.ts";

const isSeed = (value: unknown): value is Seed => typeof value === "function";

/** Says what a failed seed leaves in the database, since every document is written separately. */
const leftBehind = ({ created }: SeedCount): string =>
  created === 0 ? "" : `\nWhat was created before stays (${created}): the next run continues after it.`;

/**
 * Runs `seed/index.ts` next to the schema files of a project. Returns how many documents and files were created, and
 * how many existed already.
 * @param onStep called before each file and document
 * @throws SetupError when there is no seed, or when a part of it fails or is refused
 */
export const runSeed = async (
  root: string,
  services: Services,
  onStep: (subject: string) => void = () => {},
): Promise<SeedCount> => {
  const folder = path.join(services.config.generate.from, "seed");
  const entry = path.join(folder, "index.ts");
  if (!existsSync(path.join(root, entry))) {
    throw new SetupError(`${path.join(root, entry)} is missing: a seed default-exports defineSeed(...) from there.`);
  }
  const { default: seed } = await loadModule({ root, name: "seed", entry });
  if (!isSeed(seed)) throw new SetupError(`${entry} must default-export defineSeed(async (context) => { ... }).`);
  const count: SeedCount = { created: 0, present: 0 };
  const context = createSeedContext({ services, folder: path.join(root, folder), count, onStep });
  try {
    await seed({ ...context, db: services.db });
  } catch (error) {
    const reason = error instanceof SetupError ? error.message : `${entry} has failed: ${traceOf(error)}`;
    throw new SetupError(`${reason}${leftBehind(count)}`, { cause: error });
  }
  return count;
};
