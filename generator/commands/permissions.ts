/** `cms permissions apply|list|diff|explain`: what each role may do. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import type { DeclaredPermissions } from "../../runtime/accounts/roles/permission-plan.ts";
import { messageOf } from "../../runtime/base/thrown.ts";
import { applyDeclared, describeChanges, planDeclared, withRoles } from "./apply-permissions.ts";
import type { SourceOf } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { explainPermission, type Question } from "./explain-permission.ts";
import { onProject } from "./with-project.ts";

const fileArgument = "JSON file: action uids by role type (default: `permissions` of the configuration)";

export const configure = (command: Command, sourceOf: SourceOf): void => {
  configureExplain(command, sourceOf);
  command
    .command("apply")
    .description("give each declared role its declared and default permissions, and remove all others")
    .argument("[file]", fileArgument)
    .action(
      onProject(sourceOf, async (project, file: string | undefined) => {
        const changes = await applyDeclared(project, await declaredIn(project.root, file));
        process.stderr.write(describeChanges(changes, "Nothing to change."));
      }),
    );
  command
    .command("diff")
    .description("show what apply would change")
    .argument("[file]", fileArgument)
    .action(
      onProject(sourceOf, async (project, file: string | undefined) => {
        const declared = await declaredIn(project.root, file);
        const changes = await withRoles(project, async (roles) => planDeclared(project, roles, declared));
        process.stdout.write(describeChanges(changes, "Nothing would change."));
      }),
    );
  command
    .command("list")
    .description("show what each role may do")
    .action(
      onProject(sourceOf, (project) =>
        withRoles(project, async (roles) => {
          process.stdout.write(roles.all().map(describeRole).join("\n"));
        }),
      ),
    );
};

const configureExplain = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("explain")
    .description("show why a role may do something with documents of a type, or may not")
    .argument("<type>", "name or uid of a content type")
    .requiredOption("--role <role>", "type of the role, such as public")
    .requiredOption("--action <action>", "such as find or update")
    .action(
      onProject(sourceOf, async (project, type: string, { role, action }: Omit<Question, "type">) => {
        process.stdout.write(await explainPermission(project, { type, role, action }));
      }),
    );
};

const declaration = z.record(z.string(), z.array(z.string()));

/** What `file` declares, or the configuration if no file is given. */
const declaredIn = async (root: string, file: string | undefined): Promise<DeclaredPermissions | undefined> => {
  if (file === undefined) return undefined;
  const text = await readFile(path.resolve(root, file), "utf8").catch((error: unknown) => {
    throw new CommandError(`${file} could not be read: ${messageOf(error)}`);
  });
  try {
    return declaration.parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${file} must be JSON such as {"public": ["api::article.article.find"]}.`);
  }
};

const describeRole = ({ type, actions }: { type: string; actions: ReadonlySet<string> }): string =>
  `${[type, ...[...actions].sort().map((action) => `  ${action}`)].join("\n")}\n`;
