/** The role of the panel that may do everything. */
import { SetupError } from "../../base/thrown.ts";
import type { Config } from "../../config/config.ts";
import type { Roles } from "./roles.ts";

/**
 * Marks the role that gets every existing action at each start. Setting that role's permissions removes the mark, and
 * the role keeps what was set.
 */
export const EVERYTHING = "plugin::panel.everything";

/**
 * Refuses a configuration in which whoever registers gets a role with the permissions that the panel gives.
 *
 * @throws SetupError
 */
export const demandOtherDefaultRole = ({ auth, panel, permissions }: Config, roles: Roles): void => {
  const { enabled, defaultRole } = auth.register;
  if (!panel || !enabled || permissions[defaultRole]) return;
  const role = roles.byType(defaultRole);
  const isCreated = !role && panel.roles.includes(defaultRole);
  if (!isCreated && !role?.can(EVERYTHING)) return;
  throw new SetupError(
    `auth.register.defaultRole: "${defaultRole}" is a role of the panel, so everybody who registers could do what it may. Name another role, or set auth.register.enabled: false.`,
  );
};
