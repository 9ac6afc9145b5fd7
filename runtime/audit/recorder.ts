/** Records in the audit log, in the transactions that it tells of. */
import type { Caller } from "../access/caller.ts";
import type { Bound } from "../database/database.ts";
import type { Act } from "../documents/acts.ts";
import type { Recorder } from "../documents/recorders.ts";
import { actsOf, actsOfFile } from "./changes.ts";
import { type Author, type Entry, entryOf, insertion } from "./entries.ts";
import { Failures } from "./failures.ts";

/** @param code who stands for the application itself */
export const createRecorder = (code: () => Author, failures = new Failures()): Recorder => {
  const recorded = (acts: readonly Act[], by: Caller): readonly Bound[] =>
    insertion(acts.map((act) => entryOf(act, by, code())));
  /** The entries of a failed login: its own, unless there are too many, after the sum of earlier ones. */
  const failed = (act: Act, by: Caller): readonly Entry[] => {
    const sum = failures.take();
    const own = failures.admits(act, by.origin?.address) ? [entryOf(act, by, code())] : [];
    return sum ? [sumOf(sum), ...own] : own;
  };
  return {
    record: (changes, by) => ({ after: recorded(actsOf(changes), by) }),
    recordFile: (change, by) => recorded(actsOfFile(change), by),
    recordAct: (act, by) => (act.action === "login.fail" ? insertion(failed(act, by)) : recorded([act], by)),
  };
};

/** The entry of the failures that were only counted. */
export const sumOf = (sum: Act): Entry => ({
  ...sum,
  by: { kind: "public", id: null, name: null },
  address: null,
  requestId: null,
});
