/** Which types are single types on either side of a migration. */
import type { Snapshot } from "../snapshot.ts";

/** Both sides of a migration. */
interface Sides {
  readonly old: Snapshot;
  readonly next: Snapshot;
}

/** Whether a type is a single type; undefined where the snapshot does not say. */
const isSingle = ({ single }: Snapshot, uid: string): boolean | undefined => single?.includes(uid);

/** Whether a type becomes a single type, or stops being one; undefined where neither is known to happen. */
export const singleTurn = ({ old, next }: Sides, pair: { readonly old: string; readonly new: string }) => {
  const [was, is] = [isSingle(old, pair.old), isSingle(next, pair.new)];
  if (was === undefined || is === undefined || was === is) return undefined;
  return is ? "begins" : "ends";
};
