/** `cms token create|list|regenerate|revoke`: API tokens for other programs. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { system } from "../../runtime/access/caller.ts";
import {
  announceTokens,
  type ApiTokenType,
  createApiToken,
  listApiTokens,
  regenerateApiToken,
  revokeApiToken,
  tokenAct,
} from "../../runtime/accounts/api-tokens.ts";
import { commandRecorders } from "../../runtime/app/features.ts";
import { grantableActions } from "../../runtime/app/grantable-actions.ts";
import type { Project } from "../../runtime/app/project.ts";
import { didYouMean } from "../../runtime/base/did-you-mean.ts";
import type { Session } from "../../runtime/database/database.ts";
import type { Act } from "../../runtime/documents/acts.ts";
import { recordedChange } from "../../runtime/documents/recorders.ts";
import type { SourceOf } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { listOf } from "./options.ts";
import { printSecret } from "./secret-output.ts";
import { done, printRows } from "./terminal.ts";
import { onProject } from "./with-project.ts";

interface CreateOptions {
  readonly name: string;
  readonly description?: string;
  readonly type: ApiTokenType;
  readonly permissions?: readonly string[];
  readonly expiresAt?: Date;
}

const parseInstant = (text: string): Date => {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) throw new InvalidArgumentError("use ISO 8601, such as 2030-01-31T00:00:00Z.");
  return instant;
};

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("create")
    .description("create a token and print its secret, which is shown only once")
    .requiredOption("--name <name>", "a name to recognise the token by")
    .option("--description <text>", "what it is for")
    .addOption(
      new Option("--type <type>", "what it may do")
        .choices(["read-only", "full-access", "custom"])
        .default("read-only"),
    )
    .option("--permissions <uids>", "action uids of a custom token, separated by commas", listOf)
    .option("--expires-at <instant>", "when it expires, in ISO 8601 (default: never)", parseInstant)
    .action(
      onProject(sourceOf, async (project, options: CreateOptions) => printSecret(await create(project, options))),
    );
  command.command("list").description("list the tokens").action(onProject(sourceOf, list));
  command
    .command("regenerate")
    .description("replace a token's secret and print the new one")
    .argument("<name>", "its name")
    .action(onProject(sourceOf, async (project, name: string) => printSecret(await regenerate(project, name))));
  command
    .command("revoke")
    .description("revoke a token")
    .argument("<name>", "its name")
    .action(onProject(sourceOf, revoke));
};

const checkPermissions = (
  { application, config }: Project,
  { type, permissions }: CreateOptions,
): readonly string[] => {
  if (type !== "custom") {
    if (permissions) throw new CommandError(`--permissions is for --type custom; a ${type} token has its own.`);
    return [];
  }
  if (!permissions || permissions.length === 0) throw new CommandError("--type custom needs --permissions.");
  const known = grantableActions(application, config);
  const unknown = permissions.filter((action) => !known.has(action));
  if (unknown.length === 0) return permissions;
  throw new CommandError(
    unknown.map((action) => `There is no action "${action}".${didYouMean(action, known)}`).join("\n"),
  );
};

const create = async (project: Project, options: CreateOptions): Promise<string> => {
  const { database, secrets } = project;
  const { name, type, description, expiresAt = null } = options;
  const permissions = checkPermissions(project, options);
  if ((await listApiTokens(database)).some((token) => token.name === name)) {
    throw new CommandError(`There is a token "${name}" already. Choose another name, or revoke it first.`);
  }
  const described = description === undefined ? {} : { description };
  const token = { name, type, permissions, expiresAt, ...described };
  return recorded(project, tokenAct("token.create", token), (session) =>
    createApiToken(session, secrets.tokenSalt, token),
  );
};

/** Changes a token, and records that in the same transaction unless nothing changed. */
const recorded = async <Result>(
  project: Project,
  act: Act,
  change: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const recorders = await commandRecorders(project);
  return recordedChange({ ...project, recorders }, act, system, change);
};

const list = async ({ database }: Project): Promise<void> => {
  const rows = (await listApiTokens(database)).map(({ name, type, permissions, expiresAt, lastUsedAt }) => [
    name,
    type === "custom" ? `custom: ${permissions.join(", ")}` : type,
    expiresAt ? `expires ${expiresAt.toISOString()}` : "never expires",
    lastUsedAt ? `last used ${lastUsedAt.toISOString()}` : "never used",
  ]);
  printRows(rows, "There are no tokens.");
};

const noSuchToken = async ({ database }: Project, name: string): Promise<CommandError> => {
  const names = (await listApiTokens(database)).map((token) => token.name);
  return new CommandError(`There is no token "${name}".${didYouMean(name, names)}`);
};

const regenerate = async (project: Project, name: string): Promise<string> => {
  const { database, secrets } = project;
  const secret = await recorded(project, tokenAct("token.regenerate", { name }), (session) =>
    regenerateApiToken(session, secrets.tokenSalt, name),
  );
  if (secret === undefined) throw await noSuchToken(project, name);
  await announceTokens(database);
  return secret;
};

const revoke = async (project: Project, name: string): Promise<void> => {
  const { database } = project;
  if (!(await recorded(project, tokenAct("token.revoke", { name }), (session) => revokeApiToken(session, name))))
    throw await noSuchToken(project, name);
  await announceTokens(database);
  done(`The token "${name}" is no longer accepted.`);
};
