/** `cms permissions apply|list|diff`: what each role may do. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import type { DeclaredPermissions } from "../../runtime/accounts/roles/permission-plan.ts";
import { messageOf } from "../../runtime/base/thrown.ts";
import { applyDeclared, describeChanges, planDeclared, withRoles } from "./apply-permissions.ts";
import type { SourceOf } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { withProject } from "./with-project.ts";

const fileArgument = "JSON file: action uids by role type (default: `permissions` of the configuration)";

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("apply")
    .description("let each declared role do what is declared for it, besides its defaults, and nothing else")
    .argument("[file]", fileArgument)
    .action((file: string | undefined, _options: unknown, own: Command) =>
      withProject({ command: own, sourceOf }, "cms permissions apply", async (project) => {
        const changes = await applyDeclared(project, await declaredIn(project.root, file));
        process.stderr.write(describeChanges(changes, "Nothing to change."));
      }),
    );
  command
    .command("diff")
    .description("show what apply would change")
    .argument("[file]", fileArgument)
    .action((file: string | undefined, _options: unknown, own: Command) =>
      withProject({ command: own, sourceOf }, "cms permissions diff", async (project) => {
        const declared = await declaredIn(project.root, file);
        const changes = await withRoles(project, async (roles) => planDeclared(project, roles, declared));
        process.stdout.write(describeChanges(changes, "Nothing would change."));
      }),
    );
  command
    .command("list")
    .description("show what each role may do")
    .action((_options: unknown, own: Command) =>
      withProject({ command: own, sourceOf }, "cms permissions list", (project) =>
        withRoles(project, async (roles) => {
          process.stdout.write(roles.all().map(describeRole).join("\n"));
        }),
      ),
    );
};

const declaration = z.record(z.string(), z.array(z.string()));

const readDeclaration = async (root: string, file: string): Promise<DeclaredPermissions> => {
  const text = await readFile(path.resolve(root, file), "utf8").catch((error: unknown) => {
    throw new CommandError(`${file} could not be read: ${messageOf(error)}`);
  });
  try {
    return declaration.parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${file} must be JSON such as {"public": ["api::article.article.find"]}.`);
  }
};

/** What is declared in `file`, or in the configuration where none is named. */
const declaredIn = async (root: string, file: string | undefined): Promise<DeclaredPermissions | undefined> =>
  file === undefined ? undefined : readDeclaration(root, file);

const describeRole = ({ type, actions }: { type: string; actions: ReadonlySet<string> }): string =>
  `${[type, ...[...actions].sort().map((action) => `  ${action}`)].join("\n")}\n`;
