/** `cms user add|list|role|password|block|unblock`: panel users, and other users. */
import type { Command } from "commander";
import { z } from "zod";
import { system } from "../../runtime/access/caller.ts";
import { invite as inviteUser, unknownPassword } from "../../runtime/accounts/roles/invitations.ts";
import { addUser, editUser } from "../../runtime/accounts/users/user-management.ts";
import { usersText } from "../../runtime/accounts/users/user-reads.ts";
import { findTaken, type User } from "../../runtime/accounts/users/user-store.ts";
import type { Project } from "../../runtime/app/project.ts";
import { didYouMean } from "../../runtime/base/did-you-mean.ts";
import { HttpError } from "../../runtime/base/errors.ts";
import type { Services } from "../../runtime/http/context.ts";
import type { SourceOf } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { printSecret } from "./secret-output.ts";
import { done, printRows } from "./terminal.ts";
import { onProject } from "./with-project.ts";
import { withServices } from "./with-services.ts";

/** Runs `work` with the services of a project; prints errors that clients would receive. */
const onServices = <Given extends readonly unknown[]>(
  sourceOf: SourceOf,
  work: (services: Services, ...given: Given) => Promise<void>,
) =>
  onProject(sourceOf, async (project: Project, ...given: Given) => {
    try {
      await withServices(project, (services) => work(services, ...given));
    } catch (error) {
      throw error instanceof HttpError ? new CommandError(error.message) : error;
    }
  });

const roleNamed = ({ auth }: Services, type: string) => {
  const role = auth.roles.byType(type);
  if (role) return role;
  const types = auth.roles.all().map((each) => each.type);
  throw new CommandError(`There is no role "${type}".${didYouMean(type, types)}`);
};

const userNamed = async (services: Services, name: string): Promise<User> => {
  const user = await findTaken(services, { names: [name], emails: [name] });
  if (!user) throw new CommandError(`There is no user "${name}". \`cms user list\` shows them.`);
  // Users choose their own names when they register, so a name may be somebody else's address.
  if (await findTaken(services, { names: [name], emails: [name], except: user.id })) {
    throw new CommandError(`"${name}" is the name of one user and the address of another. Give the name of the one.`);
  }
  return user;
};

const demandPanel = ({ config: { panel } }: Services) => {
  if (!panel) throw new CommandError("Passwords are set in the panel: set panel: {} in cms.config.ts.");
  return panel;
};

/** Prints the link for setting a user's password, and mails it if mail is configured. */
const invite = async (services: Services, user: User): Promise<void> => {
  const { link, isMailed } = await inviteUser(services, demandPanel(services), user);
  if (isMailed) done(`The link was mailed to ${user.email}. It is good for three days, and once.`);
  printSecret(link);
};

const add = async (services: Services, username: string, email: string, { role }: { role: string }): Promise<void> => {
  demandPanel(services);
  const { id } = roleNamed(services, role);
  const body = { username, email, password: unknownPassword(), confirmed: true, blocked: false, role: id };
  await invite(services, await addUser(services, system, body));
};

const listed = z.array(
  z.object({
    username: z.string(),
    email: z.string(),
    blocked: z.boolean().nullable(),
    role: z.object({ type: z.string() }).nullable(),
  }),
);

const list = async (services: Services): Promise<void> => {
  const query = {
    fields: ["username", "email", "blocked"],
    populate: { role: { fields: ["type"] } },
    sort: "username",
  };
  const users = listed.parse(JSON.parse(await usersText(services, system, query)));
  const rows = users.map(({ username, email, blocked, role }) => [
    username,
    email,
    role?.type ?? "no role",
    blocked ? "blocked" : "active",
  ]);
  printRows(rows, "There are no users.");
};

const giveRole = async (services: Services, name: string, type: string): Promise<void> => {
  const { id } = await userNamed(services, name);
  await editUser(services, system, id, { role: roleNamed(services, type).id });
  done(`${name} has the role ${type}.`);
};

const setBlocked =
  (blocked: boolean) =>
  async (services: Services, name: string): Promise<void> => {
    const { id } = await userNamed(services, name);
    await editUser(services, system, id, { blocked });
    done(blocked ? `${name} is blocked, and signed out everywhere.` : `${name} may log in again.`);
  };

export const configure = (command: Command, sourceOf: SourceOf): void => {
  const on = (name: string, description: string): Command =>
    command.command(name).description(description).argument("<name>", "the name of the user, or the e-mail address");
  command
    .command("add")
    .description("create a user, and print the link with which that user sets a password")
    .argument("<name>", "the name to log in with")
    .argument("<email>", "the e-mail address")
    .requiredOption("--role <type>", "type of the role, such as editor")
    .action(onServices(sourceOf, add));
  command.command("list").description("list the users").action(onServices(sourceOf, list));
  on("role", "give a user another role").argument("<type>", "type of the role").action(onServices(sourceOf, giveRole));
  on("password", "print a link with which a user sets a new password").action(
    onServices(sourceOf, async (services, name: string) => invite(services, await userNamed(services, name))),
  );
  on("block", "end all sessions of a user, and refuse others").action(onServices(sourceOf, setBlocked(true)));
  on("unblock", "let a user log in again").action(onServices(sourceOf, setBlocked(false)));
};
