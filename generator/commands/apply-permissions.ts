import { preparePanelRoles } from "../../runtime/accounts/roles/panel-roles.ts";
import {
  applyPermissions,
  type DeclaredPermissions,
  type PermissionChange,
  planPermissions,
} from "../../runtime/accounts/roles/permission-plan.ts";
/** Brings roles to what is declared for them, and tells what that changes. */
import { prepareFirstStart, createRoles, type Roles } from "../../runtime/accounts/roles/roles.ts";
import { grantableActions } from "../../runtime/app/grantable-actions.ts";
import type { Project } from "../../runtime/app/project.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { actionsByRole } from "../../runtime/config/permissions.ts";
import { createRegistry } from "../../runtime/schema/registry.ts";
import { out } from "./terminal.ts";

/** What has roles and says what they may do. */
export type Granting = Pick<Project, "application" | "config" | "database" | "secrets">;

/** Runs `work` on the roles of a project; the built-in ones are made when there is none yet. */
export const withRoles = async <Result>(
  { application, config, database, secrets }: Granting,
  work: (roles: Roles) => Promise<Result>,
): Promise<Result> => {
  const registry = createRegistry(application);
  await prepareFirstStart(database, registry, secrets.tokenSalt);
  const roles = await createRoles(database, registry, { log: createLogger(config.logger) });
  try {
    const { panel, permissions: declared } = config;
    const actions = grantableActions(application, config);
    if (panel) await preparePanelRoles({ database, registry, roles, types: panel.roles, actions, declared });
    return await work(roles);
  } finally {
    await roles.close();
  }
};

/** @throws PermissionError for roles and actions that there are not */
export const planDeclared = (
  { application, config }: Granting,
  roles: Roles,
  declared: DeclaredPermissions = actionsByRole(config.permissions),
): readonly PermissionChange[] => planPermissions(declared, roles.all(), grantableActions(application, config));

/**
 * Lets each declared role do what is declared for it, besides its defaults, and nothing else.
 *
 * @throws PermissionError for roles and actions that there are not
 */
export const applyDeclared = (
  project: Granting,
  declared?: DeclaredPermissions,
): Promise<readonly PermissionChange[]> =>
  withRoles(project, async (roles) => {
    const changes = planDeclared(project, roles, declared);
    await applyPermissions(project.database, roles, changes);
    return changes;
  });

/** Changes, a line each, below the role; `nothing` where there are none. */
export const describeChanges = (changes: readonly PermissionChange[], nothing: string): string => {
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
