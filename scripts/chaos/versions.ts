import type { Result } from "./area.ts";
/** What clients asked for versions of documents, and were told of them. */
import { createLedger, type Ledger } from "./history.ts";
import { type VersionOperation, versionModel, versionState, withoutUnseen } from "./models.ts";

const isRead = ({ kind }: Pick<VersionOperation, "kind">): boolean => kind === "readDraft" || kind === "readPublished";

export interface VersionLedger extends Omit<Ledger<VersionOperation>, "record"> {
  /** Keeps what was asked for and how it ended. What was not asked for, and reads without an answer, tell nothing. */
  record(name: string, operation: Omit<VersionOperation, "outcome">, result: Result): void;
}

export const createVersionLedger = (): VersionLedger => {
  const ledger = createLedger<VersionOperation>({
    model: versionModel,
    isRead,
    reduce: withoutUnseen,
    resume(history) {
      const last = (kind: string): string | null =>
        history.findLast(({ operation }) => operation.kind === kind)?.operation.seen ?? null;
      return versionState(last("readDraft"), last("readPublished"));
    },
  });
  return {
    ...ledger,
    record(name, operation, { outcome, called, returned }) {
      if (outcome === "none" || (outcome === "unknown" && isRead(operation))) return;
      const entry = { operation: { ...operation, outcome }, called };
      ledger.record(name, { ...entry, returned: outcome === "unknown" ? undefined : returned });
    },
  };
};
