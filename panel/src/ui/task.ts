import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useText } from "../i18n/index.ts";
import { tell, tellError } from "./notify.ts";

/** Marks queries whose keys begin with one of these parts as outdated. */
const useOutdating = (keys: readonly (readonly string[])[]) => {
  const queries = useQueryClient();
  return () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
};

/**
 * Returns a function that runs some work, says that it is done or why it failed, and has what it changed read again.
 * That function returns whether the work was done.
 */
export const useTask = (...changed: readonly (readonly string[])[]) => {
  const t = useText();
  const outdate = useOutdating(changed);
  return async (done: string | undefined, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      if (done !== undefined) tell(done);
      await outdate();
      return true;
    } catch (error) {
      tellError(t, error);
      return false;
    }
  };
};

/** The same for several items, one after the other; a failed item does not keep the others from being done. */
export const useBulkTask = (...changed: readonly (readonly string[])[]) => {
  const t = useText();
  const outdate = useOutdating(changed);
  const [isBusy, setBusy] = useState(false);
  const run = async <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    const faults: unknown[] = [];
    for (const item of items) await work(item).catch((fault: unknown) => faults.push(fault));
    setBusy(false);
    await outdate();
    if (faults.length > 0) tellError(t, faults[0]);
    tell(t("list.bulkDone", { done: items.length - faults.length, all: items.length }));
    return faults.length === 0;
  };
  return { isBusy, run };
};
