/** Collection types that become single types, and single types that become collection types. */
import { type Change, type Findings, pairedTypes } from "./change.ts";
import type { Pair } from "./correspondence.ts";
import type { Snapshot } from "./snapshot.ts";
import { dare } from "./step.ts";

type Sides = Pick<Change, "old" | "next">;

/** Whether a type is a single type; undefined where the snapshot does not say. */
const isSingle = ({ single }: Snapshot, uid: string): boolean | undefined => single?.includes(uid);

/** Whether a type becomes a single type, or stops being one; undefined where neither is known to happen. */
export const singleTurn = ({ old, next }: Sides, { pairing }: { readonly pairing: Pair }) => {
  const [was, is] = [isSingle(old, pairing.old), isSingle(next, pairing.new)];
  if (was === undefined || is === undefined || was === is) return undefined;
  return is ? "begins" : "ends";
};

/**
 * A single type shows one document. The others stay in the table, and nothing shows them until it is a collection type
 * again: content that nobody can reach has to be allowed like content that goes.
 */
export const turnSingle = ({ draft }: Findings, change: Change): void => {
  for (const type of pairedTypes(change)) {
    const { table } = type.after;
    const turn = singleTurn(change, type);
    if (turn === "ends") {
      draft.steps.push({ stage: "create", sql: "", does: `makes ${table} a collection type` });
    } else if (turn === "begins") {
      const reason = `${table} would be a single type: it shows its first document, and nothing shows the others`;
      if (!dare(draft, `narrow:${table}`, reason)) continue;
      draft.steps.push({
        stage: "create",
        sql: "",
        does: `makes ${table} a single type, which shows its first document`,
        breaks: true,
        loses: `sight of all documents of ${table} but the first; they stay in the table`,
      });
    }
  }
};
