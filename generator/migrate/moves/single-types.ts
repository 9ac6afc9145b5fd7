/** Collection types that become single types, and single types that become collection types. */
import { type Change, type Findings, pairedTypes } from "../change.ts";
import type { Pair } from "../names/pairings.ts";
import { quote } from "../sql.ts";
import { dare } from "../step.ts";

/** Whether a type becomes a single type or ceases to be one; undefined if neither is known. */
export const singleTurn = ({ old, next }: Change, pair: Pair): "begins" | "ends" | undefined => {
  const [was, is] = [old.single?.includes(pair.old), next.single?.includes(pair.new)];
  if (was === undefined || is === undefined || was === is) return undefined;
  return is ? "begins" : "ends";
};

/**
 * A single type shows one document. The others stay in the table, invisible until it is a collection type again: making
 * content unreachable must be allowed like deleting it.
 */
export const turnSingle = ({ draft }: Findings, change: Change): void => {
  for (const { pairing, before, after } of pairedTypes(change)) {
    const { table } = after;
    const turn = singleTurn(change, pairing);
    if (turn === "ends") {
      draft.steps.push({ stage: "create", sql: "", does: `makes ${table} a collection type` });
    } else if (turn === "begins") {
      const reason = `${table} would be a single type: it shows its first document, and nothing shows the others`;
      if (!dare(draft, `narrow:${table}`, reason)) continue;
      draft.concerns.push({
        what: `documents of ${before.table} that nothing would show`,
        sql: `select greatest(count(distinct "document_id") - 1, 0) from ${quote(before.table)}`,
      });
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
