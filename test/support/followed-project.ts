/** A project on a branch, whose database follows what is checked out as it does while `cms dev` runs. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { applyMigrations } from "../../generator/commands/dev/migrations.ts";
import { openSources } from "../../generator/commands/generate/project.ts";
import { generate } from "../../generator/commands/generate/run.ts";
import { namesIn } from "../../generator/commands/migrate/applied.ts";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { branchProject } from "./branch.ts";
import type { Files } from "./migration-lab.ts";

export const followedProject = async () => {
  const project = await branchProject(afterAll);
  const { database, root, git } = project;
  beforeAll(() => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
  });

  /** One round of `cms dev`. */
  const round = async (allow: readonly string[] = [], own = database) => {
    const opened = await openSources(root, undefined);
    const ask = async () => ({ names: new Set(await namesIn(database)) });
    await generate(opened, { allow }, { ask });
    await applyMigrations(opened, await loadConfig(root), own, () => true);
  };

  return {
    ...project,
    round,
    /** Makes `files` the whole schema. */
    async save(files: Files, allow: readonly string[] = [], own = database) {
      rmSync(path.join(root, "content-types"), { recursive: true, force: true });
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(root, "content-types", file)), { recursive: true });
        writeFileSync(path.join(root, "content-types", file), JSON.stringify(content));
      }
      await round(allow, own);
    },
    async checkout(...branch: readonly string[]) {
      expect(git("checkout", ...branch).status).toBe(0);
      await round();
    },
    /** The database; `work` runs once, between the record of the content and the migrations, when `isTime`. */
    meanwhile(work: () => Promise<void>, isTime = () => true) {
      let isDone = false;
      return new Proxy(database, {
        get(target, key) {
          const found: unknown = Reflect.get(target, key);
          if (typeof found !== "function") return found;
          if (isDone || (key !== "exclusively" && key !== "transaction") || !isTime()) return found.bind(target);
          isDone = true;
          return async (...given: unknown[]) => {
            await work();
            return found.apply(target, given);
          };
        },
      });
    },
  };
};
