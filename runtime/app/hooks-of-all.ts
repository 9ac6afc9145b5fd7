/**
 * Combines the hooks of `app.ts`, which run for all content types, with those of each type. An unknown name is a typo, and
 * its hook would never run, so it is refused.
 */
import { didYouMean } from "../base/did-you-mean.ts";
import { SetupError } from "../base/thrown.ts";
import type { BeforeWrite, Hooks, WriteHooks } from "../documents/hooks.ts";
import type { Uid } from "../schema/content-type.ts";
import type { Application } from "./application.ts";

const WRITES = {
  beforeCreate: true,
  beforeUpdate: true,
  beforeDelete: true,
  beforePublish: true,
  beforeUnpublish: true,
  afterCreate: true,
  afterUpdate: true,
  afterDelete: true,
  afterPublish: true,
  afterUnpublish: true,
} as const satisfies Readonly<Record<keyof WriteHooks, true>>;

const isWrite = (name: string): name is keyof WriteHooks => Object.hasOwn(WRITES, name);

const ALL = { ...WRITES, beforeRead: true, afterRead: true, inTransaction: true } as const satisfies Readonly<
  Record<keyof Hooks, true>
>;

const refuse = (hooks: object, known: object, owner: string): void => {
  for (const name of Object.keys(hooks)) {
    if (Object.hasOwn(known, name)) continue;
    throw new SetupError(
      `${owner} has the hook "${name}", which does not exist.${didYouMean(name, Object.keys(known))}`,
    );
  }
};

/** @throws SetupError for a hook that does not exist; `owner` describes in words whose hooks they are */
const refuseUnknownHooks = (hooks: Hooks | undefined, owner: string): void => {
  if (!hooks) return;
  refuse(hooks, ALL, owner);
  if (hooks.inTransaction) refuse(hooks.inTransaction, WRITES, `"inTransaction" of ${owner}`);
};

type Pair = readonly [first: WriteHooks, second: WriteHooks];
type Call<Event> = (event: Event) => unknown;
/** Calls a hook of each owner, one after the other. */
type Run = (calls: readonly Call<never>[]) => Call<never>;

/** An error fails the write, so no further hook runs. */
const untilError: Run = (calls) => async (event) => {
  for (const call of calls) await call(event);
};

/** Runs all hooks, even after errors, since the write is committed. Throws the errors together. */
const eachOne: Run = (calls) => async (event) => {
  const errors: unknown[] = [];
  for (const call of calls) {
    try {
      await call(event);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join("; "));
  if (errors.length === 1) throw errors[0];
};

type Writing = BeforeWrite<Readonly<Record<string, unknown>>>;

/** Each hook gets the data that the previous one returned. */
const passing =
  (calls: readonly ((event: Writing) => Writing["data"] | void | Promise<Writing["data"] | void>)[]) =>
  async (event: Writing): Promise<Writing["data"] | undefined> => {
    let replaced: Writing["data"] | undefined;
    for (const call of calls)
      replaced = (await call(replaced === undefined ? event : { ...event, data: replaced })) ?? replaced;
    return replaced;
  };

/**
 * Only the hooks that one of the two has: bulk writes are faster if no hook runs before the write. They are called as
 * methods of their object, because they may use `this`.
 */
const combined = (pair: Pair, after: Run): WriteHooks => {
  const both: WriteHooks = {};
  for (const name of Object.keys(WRITES).filter(isWrite)) {
    if (!pair.some((hooks) => name in hooks)) continue;
    const run = name.startsWith("after") ? after : untilError;
    const one =
      name === "beforeCreate" || name === "beforeUpdate"
        ? passing(pair.map((hooks) => (event) => hooks[name]?.(event)))
        : run(pair.map((hooks) => (event) => hooks[name]?.(event)));
    Object.assign(both, { [name]: one });
  }
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
