/** Combines the hooks of `app.ts`, which run for all content types, with those of each type. */
import type { BeforeWrite, Hooks, WriteHooks } from "../documents/hooks.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Application } from "./application.ts";
import { refuseUnknownHooks } from "./hook-names.ts";

type Data = BeforeWrite<Readonly<Record<string, unknown>>>["data"];
type Pair = readonly [first: WriteHooks, second: WriteHooks];
type Run = <Event>(hooks: readonly ((event: Event) => unknown)[]) => (event: Event) => Promise<void>;

/** Runs hooks one after the other. An error fails the write, so no further hook runs. */
const untilError: Run = (hooks) => async (event) => {
  for (const hook of hooks) await hook(event);
};

/** Runs all hooks, even after errors, since the write is committed. Throws the errors together. */
const eachOne: Run = (hooks) => async (event) => {
  const errors: unknown[] = [];
  for (const hook of hooks) {
    try {
      await hook(event);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join("; "));
  if (errors.length === 1) throw errors[0];
};

/** Runs hooks one after the other, each with the data that the previous one returned. */
const passing = async (
  hooks: readonly ((event: BeforeWrite<Data>) => Data | void | Promise<Data | void>)[],
  event: BeforeWrite<Data>,
): Promise<Data | undefined> => {
  let replaced: Data | undefined;
  for (const hook of hooks) {
    replaced = (await hook(replaced === undefined ? event : { ...event, data: replaced })) ?? replaced;
  }
  return replaced;
};

/** Calls hooks as methods of their object, because they may use `this`. */
const bothOf = (pair: Pair, after: Run): Required<WriteHooks> => ({
  beforeCreate: (event) =>
    passing(
      pair.map((hooks) => (given) => hooks.beforeCreate?.(given)),
      event,
    ),
  beforeUpdate: (event) =>
    passing(
      pair.map((hooks) => (given) => hooks.beforeUpdate?.(given)),
      event,
    ),
  beforeDelete: untilError(pair.map((hooks) => (event) => hooks.beforeDelete?.(event))),
  beforePublish: untilError(pair.map((hooks) => (event) => hooks.beforePublish?.(event))),
  beforeUnpublish: untilError(pair.map((hooks) => (event) => hooks.beforeUnpublish?.(event))),
  afterCreate: after(pair.map((hooks) => (event) => hooks.afterCreate?.(event))),
  afterUpdate: after(pair.map((hooks) => (event) => hooks.afterUpdate?.(event))),
  afterDelete: after(pair.map((hooks) => (event) => hooks.afterDelete?.(event))),
  afterPublish: after(pair.map((hooks) => (event) => hooks.afterPublish?.(event))),
  afterUnpublish: after(pair.map((hooks) => (event) => hooks.afterUnpublish?.(event))),
});

/** Only the hooks that one of the two has: bulk writes are faster if no hook runs before the write. */
const combined = (pair: Pair, after: Run): WriteHooks => {
  const both: WriteHooks = bothOf(pair, after);
  for (const name of Object.keys(both)) if (!pair.some((hooks) => name in hooks)) Reflect.deleteProperty(both, name);
  return both;
};

const withAll = (all: NonNullable<NonNullable<Application["app"]>["hooks"]>, own: Hooks = {}): Hooks => {
  const inTransaction =
    all.inTransaction && own.inTransaction
      ? combined([all.inTransaction, own.inTransaction], untilError)
      : (all.inTransaction ?? own.inTransaction);
  const { beforeRead, afterRead } = own;
  return {
    ...combined([all, own], eachOne),
    ...(beforeRead && { beforeRead: (event) => own.beforeRead?.(event) }),
    ...(afterRead && { afterRead: (event) => own.afterRead?.(event) }),
    ...(inTransaction && { inTransaction }),
  };
};

/**
 * The hooks by content type: those of its extension, after those of `app.ts`.
 *
 * @throws SetupError for a hook that does not exist
 */
export const hooksIn = ({ extensions, contentTypes, app }: Application): Readonly<Record<Uid, Hooks>> => {
  for (const [uid, { hooks }] of Object.entries(extensions)) refuseUnknownHooks(hooks, `the extension of ${uid}`);
  refuseUnknownHooks(app?.hooks, "app.ts");
  const own = new Map(Object.entries(extensions).flatMap(([uid, { hooks }]) => (hooks ? [[uid, hooks]] : [])));
  const all = app?.hooks;
  if (!all) return Object.fromEntries(own);
  return Object.fromEntries(Object.keys(contentTypes).map((uid) => [uid, withAll(all, own.get(uid))]));
};
