import { preparePanelRoles } from "../../runtime/accounts/roles/panel-roles.ts";
import {
  applyPermissions,
  type DeclaredPermissions,
  type PermissionChange,
  planPermissions,
} from "../../runtime/accounts/roles/permission-plan.ts";
/** Syncs roles with their declared permissions and reports the changes. */
import { prepareFirstStart, createRoles, type Roles } from "../../runtime/accounts/roles/roles.ts";
import { commandRecorders } from "../../runtime/app/features.ts";
import { grantableActions } from "../../runtime/app/grantable-actions.ts";
import type { Project } from "../../runtime/app/project.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { actionsByRole } from "../../runtime/config/permissions.ts";
import type { Recorder } from "../../runtime/documents/recorders.ts";
import { createRegistry } from "../../runtime/schema/registry.ts";
import { out } from "./terminal.ts";

/** The service that has the roles and says what they may do. */
export type Granting = Pick<Project, "application" | "command" | "config" | "database" | "secrets">;

/** Runs `work` on the roles of a project; creates the built-in ones if there are none yet. */
export const withRoles = async <Result>(
  project: Granting,
  work: (roles: Roles, recorders: readonly Recorder[]) => Promise<Result>,
): Promise<Result> => {
  const { application, config, database, secrets } = project;
  const registry = createRegistry(application);
  await prepareFirstStart(database, registry, secrets.tokenSalt);
  const roles = await createRoles(database, registry, { log: createLogger(config.logger) });
  try {
    const { panel, permissions: declared } = config;
    const actions = grantableActions(application, config);
    const recorders = await commandRecorders(project);
    if (panel) await preparePanelRoles({ database, registry, roles, types: panel.roles, actions, declared, recorders });
    return await work(roles, recorders);
  } finally {
    await roles.close();
  }
};

/** @throws PermissionError for unknown roles and actions */
export const planDeclared = (
  { application, config }: Granting,
  roles: Roles,
  declared: DeclaredPermissions = actionsByRole(config.permissions),
): readonly PermissionChange[] => planPermissions(declared, roles.all(), grantableActions(application, config));

/**
 * Grants each declared role its declared permissions and its defaults, and revokes everything else.
 *
 * @throws PermissionError for unknown roles and actions
 */
export const applyDeclared = (
  project: Granting,
  declared?: DeclaredPermissions,
): Promise<readonly PermissionChange[]> =>
  withRoles(project, async (roles, recorders) => {
    const changes = planDeclared(project, roles, declared);
    await applyPermissions(project.database, roles, changes, recorders);
    return changes;
  });

/** Lists changes below the role, one per line; `nothing` if there are none. */
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
