/** `cms permissions apply|list|diff`: what each role may do. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { prepareFirstStart } from "../../runtime/accounts/first-start.ts";
import {
  applyPermissions,
  type DeclaredPermissions,
  type PermissionChange,
  PermissionError,
  planPermissions,
} from "../../runtime/accounts/roles/permission-plan.ts";
import { createRoles, type Roles } from "../../runtime/accounts/roles/roles.ts";
import { grantableActions } from "../../runtime/app/grantable-actions.ts";
import type { Project } from "../../runtime/app/project.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { createRegistry } from "../../runtime/schema/registry.ts";
import type { SourceOf } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { out } from "./terminal.ts";
import { type Running, withProject } from "./with-project.ts";

const fileArgument = "JSON file: action uids by role type (default: `permissions` of the configuration)";

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("apply")
    .description("let each declared role do what is declared for it, besides its defaults, and nothing else")
    .argument("[file]", fileArgument)
    .action((file: string | undefined, _options: unknown, own: Command) =>
      withRoles({ command: own, sourceOf }, "cms permissions apply", async (project, roles) => {
        const changes = await plan(project, roles, file);
        await applyPermissions(project.database, roles, changes);
        process.stderr.write(report(changes, "Nothing to change."));
      }),
    );
  command
    .command("diff")
    .description("show what apply would change")
    .argument("[file]", fileArgument)
    .action((file: string | undefined, _options: unknown, own: Command) =>
      withRoles({ command: own, sourceOf }, "cms permissions diff", async (project, roles) => {
        process.stdout.write(report(await plan(project, roles, file), "Nothing would change."));
      }),
    );
  command
    .command("list")
    .description("show what each role may do")
    .action((_options: unknown, own: Command) =>
      withRoles({ command: own, sourceOf }, "cms permissions list", async (_project, roles) => {
        process.stdout.write(roles.all().map(describeRole).join("\n"));
      }),
    );
};

/** Runs `work` on the project and its roles; the built-in ones are made when there is none yet. */
const withRoles = (
  running: Running,
  name: string,
  work: (project: Project, roles: Roles) => Promise<void>,
): Promise<void> =>
  withProject(running, name, async (project) => {
    const registry = createRegistry(project.application);
    await prepareFirstStart(project.database, registry, project.secrets.tokenSalt);
    const roles = await createRoles(project.database, registry, { log: createLogger(project.config.logger) });
    try {
      await work(project, roles);
    } catch (error) {
      throw error instanceof PermissionError ? new CommandError(error.message) : error;
    } finally {
      await roles.close();
    }
  });

const declaration = z.record(z.string(), z.array(z.string()));

const readDeclaration = async (root: string, file: string): Promise<DeclaredPermissions> => {
  const text = await readFile(path.resolve(root, file), "utf8").catch((error: unknown) => {
    throw new CommandError(`${file} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return declaration.parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${file} must be JSON such as {"public": ["api::article.article.find"]}.`);
  }
};

const plan = async (project: Project, roles: Roles, file?: string): Promise<readonly PermissionChange[]> => {
  const declared = file === undefined ? project.config.permissions : await readDeclaration(project.root, file);
  return planPermissions(declared, roles.all(), grantableActions(project.application));
};

const report = (changes: readonly PermissionChange[], nothing: string): string => {
  if (changes.length === 0) return `${nothing}\n`;
  return changes
    .map(({ role, granted, revoked }) => {
      const lines = [
        ...granted.map((action) => out.green(`  + ${action}`)),
        ...revoked.map((action) => out.red(`  - ${action}`)),
      ];
      return `${[role.type, ...lines].join("\n")}\n`;
    })
    .join("");
};

const describeRole = ({ type, actions }: { type: string; actions: ReadonlySet<string> }): string =>
  `${[type, ...[...actions].sort().map((action) => `  ${action}`)].join("\n")}\n`;
