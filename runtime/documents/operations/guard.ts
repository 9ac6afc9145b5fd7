/** Applies the caller's rules to writes: both the old and the new state of what they change has to be allowed. */
import type { Bound } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Plan } from "../plan/plan.ts";
import type { VersionChange } from "../recorders.ts";
import { allAllowed, anyAllowed, demanded, isMet, type Touched, touchedVersions } from "../sql/allowed.ts";
import type { VersionKey } from "../sql/version.ts";
import type { OperationContext } from "./context.ts";

/** What a write changes. */
export type Changed = Pick<Plan, "type" | "steps" | "changes" | "before">;

/** Statements before and after those of a write. They fail, and with them the transaction, if a rule is broken. */
interface Guard {
  readonly before: readonly Bound[];
  readonly after: readonly Bound[];
}

/** Rows, and the actions whose rules they have to meet. */
interface Demand {
  readonly touched: Touched;
  readonly actions: readonly string[];
}

const boundTo = ({ services: { queries }, caller }: OperationContext, { touched, actions }: Demand): readonly Bound[] =>
  actions.flatMap((action) => {
    const limit = queries.limitFor(caller, touched.type, action);
    return limit ? [demanded(allAllowed(touched, limit))] : [];
  });

/**
 * The actions whose permissions a change requires. Without separate permissions for drafts, `update` stands for all.
 */
const actionsOf = ({ services }: OperationContext, action: string): readonly string[] => {
  const isOfDrafts = ["publish", "unpublish", "discardDraft"].includes(action);
  return isOfDrafts && services.config.rest.drafts === "find" ? [action, "update"] : [action];
};

const isGone = ({ action }: VersionChange): boolean => action === "unpublish" || action === "delete";

/** Other documents that a write changes. A caller may not change, even from the other side, what it may not read. */
const guardOfOthers = (context: OperationContext, { steps }: Changed): Guard => {
  const touches = steps.flatMap((step) => ("purpose" in step ? [] : (step.touches ?? [])));
  const by = (actions: readonly string[]) => touches.flatMap((touched) => boundTo(context, { touched, actions }));
  return { before: by(["find", "update"]), after: by(["update"]) };
};

const guardOf = (context: OperationContext, changed: Changed): Guard => {
  const { type, steps, changes, before: present } = changed;
  const [first] = changes;
  if (!first) return { before: [], after: [] };
  const puts = steps.flatMap((step) => ("purpose" in step ? [step] : []));
  const written: readonly VersionKey[] = puts.flatMap(({ versions }) => versions);
  const isNew = puts.some(({ purpose }) => purpose === "insert with document");
  const base = first.action === "create" && !isNew ? "update" : first.action;
  const publishes = changes.some(({ action }) => action === "publish");
  const gone = changes.filter(isGone).map(({ version }) => version);
  const further = changes.slice(1).map(({ action }) => action);
  const actions = [...new Set([base, ...further])].flatMap((action) => actionsOf(context, action));
  const old = isNew ? [] : [...written, ...gone, ...(publishes ? present : [])];
  const others = guardOfOthers(context, changed);
  const isNewLocale = first.action === "create" && !isNew;
  const anywhere = isNewLocale ? context.services.queries.limitFor(context.caller, type, "update", false) : undefined;
  return {
    before: [
      ...(anywhere ? [demanded(anyAllowed(type, first.version.documentId, anywhere))] : []),
      ...boundTo(context, { touched: touchedVersions(type, old), actions }),
      ...others.before,
    ],
    after: [...boundTo(context, { touched: touchedVersions(type, written), actions }), ...others.after],
  };
};

/** The statements of writes, enclosed by those that apply the caller's rules. */
export const guarded = (
  context: OperationContext,
  changed: readonly Changed[],
  statements: readonly Bound[],
): readonly Bound[] => {
  const guards = changed.map((each) => guardOf(context, each));
  return [...guards.flatMap(({ before }) => before), ...statements, ...guards.flatMap(({ after }) => after)];
};

/** Whether the caller may read no version of the document; it then counts as missing. */
export const isHidden = async (
  { services: { database, queries }, caller }: OperationContext,
  type: ContentType,
  documentId: string,
): Promise<boolean> => {
  const limit = queries.limitFor(caller, type, "find");
  return limit !== undefined && !(await isMet(database, anyAllowed(type, documentId.replaceAll("\0", ""), limit)));
};
