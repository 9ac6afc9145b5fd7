/** Holds writes to the rules of their caller: what they change has to be allowed before and after. */
import { ForbiddenError } from "../../base/errors.ts";
import type { Bound } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Plan } from "../plan/plan.ts";
import type { VersionChange } from "../recorders.ts";
import { areLeft, demandAllowed, demandAny, isLeft, type Touched, touchedVersions } from "../sql/allowed.ts";
import type { VersionKey } from "../sql/version.ts";
import type { OperationContext } from "./context.ts";

/** What a write changes. */
type Changed = Pick<Plan, "type" | "steps" | "changes" | "before">;

/** Statements around those of a write. They fail, and the transaction with them, where a rule does not hold. */
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
    return limit ? [demandAllowed(touched, limit)] : [];
  });

/** The actions whose permissions a change takes. Without permissions of its own for drafts, `update` stands for all. */
const actionsOf = ({ services }: OperationContext, action: string): readonly string[] => {
  const isOfDrafts = ["publish", "unpublish", "discardDraft"].includes(action);
  return isOfDrafts && services.config.rest.drafts === "find" ? [action, "update"] : [action];
};

const isGone = ({ action }: VersionChange): boolean => action === "unpublish" || action === "delete";

/** Other documents that a write changes. What may not be read may not be changed from the other side either. */
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
  const written: readonly VersionKey[] = puts.map(({ version }) => version);
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
      ...(anywhere ? [demandAny(type, first.version.documentId, anywhere)] : []),
      ...boundTo(context, { touched: touchedVersions(type, old), actions }),
      ...others.before,
    ],
    after: [...boundTo(context, { touched: touchedVersions(type, written), actions }), ...others.after],
  };
};

/** The statements of writes, between those that hold them to the rules of the caller. */
export const guarded = (
  context: OperationContext,
  changed: readonly Changed[],
  statements: readonly Bound[],
): readonly Bound[] => {
  if (!context.caller.rows) return statements;
  const guards = changed.map((each) => guardOf(context, each));
  return [...guards.flatMap(({ before }) => before), ...statements, ...guards.flatMap(({ after }) => after)];
};

/** Whether there is no version of the document that the caller may read: it counts as missing then. */
export const isHidden = async (
  { services: { database, queries }, caller }: OperationContext,
  type: ContentType,
  documentId: string,
): Promise<boolean> => {
  const limit = queries.limitFor(caller, type, "find");
  return limit !== undefined && !(await isLeft(database, type, documentId.replaceAll("\0", ""), limit));
};

/**
 * Holds versions to the rules of the caller for an action that changes nothing of them yet.
 *
 * @throws ForbiddenError when one of them does not meet the rules
 */
export const demandRows = async (
  { services: { database, queries }, caller }: OperationContext,
  touched: Touched,
  action: string,
): Promise<void> => {
  const limit = queries.limitFor(caller, touched.type, action);
  if (!(await areLeft(database, touched, limit))) throw new ForbiddenError();
};
