import { existsSync } from "node:fs";
import path from "node:path";
import { SetupError } from "../../base/setup-error.ts";
import { traceOf } from "../../base/thrown.ts";
import type { Services } from "../../http/services.ts";
import { loadModule } from "../loader/load-module.ts";
import type { Ingredients } from "../start.ts";
import { createSeedClient } from "./client.ts";
import { createSeedContext, type SeedCount } from "./context.ts";
import type { Seed } from "./seed.ts";

const isSeed = (value: unknown): value is Seed => typeof value === "function";

/**
 * Runs `seed/index.ts` next to the schema files of a project. Returns how many documents and files were created, and
 * how many existed already.
 * @param onStep called before each file and document
 * @param onStep told of each file and document before it is looked at
 * @throws SetupError when there is no seed, or when a part of it fails or is refused
 */
export const runSeed = async (
  { root, application }: Pick<Ingredients, "application"> & { readonly root: string },
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
  const client = createSeedClient(services, application);
  const context = createSeedContext(client, services.registry, { folder: path.join(root, folder), count, onStep });
  try {
    await seed(context);
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`${entry} has failed: ${traceOf(error)}`, { cause: error });
  }
  return count;
};
