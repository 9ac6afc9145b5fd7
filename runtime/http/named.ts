/** Looks up functions that the configuration of an application refers to by name. */
import { SetupError } from "../base/thrown.ts";

/** A function, its name, or its name with a setting under `Key`. */
export type Use<Handler, Key extends string> = Handler | string | Setting<Key>;

/** A function, together with the setting that it is called with. */
export interface Bound<Handler> {
  readonly handler: Handler;
  readonly setting: unknown;
}

const named = <Handler>(handlers: Readonly<Record<string, Handler>>, name: string, kind: string): Handler => {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (handler === undefined) {
    const known = Object.keys(handlers);
    throw new SetupError(
      `No ${kind} is registered as "${name}". Registered: ${known.length > 0 ? known.join(", ") : "none"}.`,
    );
  }
  return handler;
};

type Setting<Key extends string> = { readonly name: string } & { readonly [Name in Key]?: unknown };

const settingOf = (use: object, key: string): unknown => new Map<string, unknown>(Object.entries(use)).get(key) ?? {};

const isNamed = <Handler, Key extends string>(use: Handler | Setting<Key>): use is Setting<Key> =>
  typeof use === "object";

/**
 * Finds the function for a value of the configuration, which may be the function itself or its name.
 *
 * @throws SetupError if no function is registered under the name
 */
export const bind = <Handler extends (...given: never[]) => unknown, Key extends string>(
  uses: readonly Use<Handler, Key>[],
  handlers: Readonly<Record<string, Handler>>,
  { kind, key }: { readonly kind: string; readonly key: Key },
): readonly Bound<Handler>[] =>
  uses.map((use) => {
    if (typeof use === "string") return { handler: named(handlers, use, kind), setting: {} };
    if (!isNamed<Handler, Key>(use)) return { handler: use, setting: {} };
    return { handler: named(handlers, use.name, kind), setting: settingOf(use, key) };
  });
