/** The names of hooks. An unknown name is a typo, and its hook would never run. */
import { didYouMean } from "../base/did-you-mean.ts";
import { SetupError } from "../base/setup-error.ts";
import type { Hooks, WriteHooks } from "../documents/hooks.ts";

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
export const refuseUnknownHooks = (hooks: Hooks | undefined, owner: string): void => {
  if (!hooks) return;
  refuse(hooks, ALL, owner);
  if (hooks.inTransaction) refuse(hooks.inTransaction, WRITES, `"inTransaction" of ${owner}`);
};
