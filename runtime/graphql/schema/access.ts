/** The permissions that fields take, kept as extensions of the fields. */

const KEY = "galleyScope";

/** Extensions that say which actions a caller must be allowed; none are needed when `actions` is empty. */
export const requires = (...actions: readonly (string | undefined)[]): Readonly<Record<string, readonly string[]>> => {
  const scope = actions.filter((action) => action !== undefined);
  return scope.length > 0 ? { [KEY]: scope } : {};
};

/** Extensions of a field that anybody may call. */
export const open: Readonly<Record<string, readonly string[]>> = { [KEY]: [] };

/** What {@link requires} noted; undefined for a field that was not generated from a content type. */
export const requiredScope = (
  extensions: Readonly<Record<string, unknown>> | undefined,
): readonly string[] | undefined => {
  const scope = extensions?.[KEY];
  return Array.isArray(scope) ? scope : undefined;
};
