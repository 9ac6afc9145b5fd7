/** Schema files of built-in content types that contain only their changes. */
import { isRecord } from "../../runtime/base/is-record.ts";
import { usersPermissions } from "./users-permissions.ts";

/**
 * Completes a schema file with the names and options of the built-in content type. Attributes are completed later, when
 * their types are known. Leaves anything but objects as it is.
 */
export const completePartial = (uid: string, value: unknown): unknown => {
  const builtIn = usersPermissions.find((file) => file.uid === uid)?.schema;
  if (builtIn === undefined || !isRecord(value)) return value;
  const { attributes: _, ...whole } = builtIn;
  const { info } = value;
  return {
    ...whole,
    ...value,
    info: info === undefined ? whole.info : isRecord(info) ? { ...whole.info, ...info } : info,
  };
};
