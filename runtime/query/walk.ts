/** Reads lists with cursors: each page begins after the last entry of the previous one, however deep in the list. */
import type { Row } from "../database/database.ts";
import { completed, type Cursors, isKnown, type KnownAnchor } from "./cursor/cursors.ts";
import type { Prepared } from "./engine.ts";
import type { Run } from "./rows/load.ts";
import type { Inputs } from "./sql/compile.ts";

/** The rows of a page, and the cursor of its last row if there are more. */
export interface WalkedPage {
  readonly rows: readonly Row[];
  /** Null after the last page; undefined if the page is not read with cursors. */
  readonly after?: string | null;
}

const textsOf = (values: Row): KnownAnchor["values"] => values.map((value) => (value === null ? null : String(value)));

/** The entry after which the page begins, with all of its values. Most cursors hold them. */
const anchorOf = async ({ checked, plan }: Prepared, { session, bindings }: Run): Promise<KnownAnchor | undefined> => {
  const anchor = checked.cursor?.anchor;
  if (anchor === undefined || isKnown(anchor)) return anchor;
  const [values] = (await plan.walk?.values?.run(session, bindings, { anchor: { ...anchor, values: [] } })) ?? [];
  return completed(anchor, values && textsOf(values));
};

/**
 * Reads a page, and one row beyond it to know whether there are more.
 *
 * @throws ValidationError if the cursor's values were too long for it, and its entry has changed since
 */
export const readWalk = async (prepared: Prepared, run: Run, cursors: Cursors): Promise<WalkedPage> => {
  const { checked, plan } = prepared;
  const { cursor, page, shape } = checked;
  if (cursor === undefined || plan.walk === undefined) throw new Error("This list is not read with cursors");
  const anchor = await anchorOf(prepared, run);
  const inputs: Inputs = { limit: page.limit + 1, ...(anchor ? { anchor } : {}) };
  const found = await plan.page.run(run.session, run.bindings, inputs);
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  if (last === undefined || found.length === rows.length) return { rows, after: null };
  const { firstValue } = plan.walk;
  const values = textsOf(last.slice(firstValue, firstValue + shape.sort.length));
  return { rows, after: cursors.write(cursor.list, { id: Number(last[plan.level.idIndex]), values }) };
};
