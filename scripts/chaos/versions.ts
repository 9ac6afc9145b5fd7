import type { Result } from "./area.ts";
/** Clients' requests about versions of documents, and the answers. */
import { createLedger, type Ledger } from "./history.ts";
import { type VersionOperation, versionModel, versionState, withoutUnseen } from "./models.ts";

const isRead = ({ kind }: Pick<VersionOperation, "kind">): boolean => kind === "readDraft" || kind === "readPublished";

export interface VersionLedger extends Omit<Ledger<VersionOperation>, "record"> {
  /**
   * Records requests and outcomes. Requests that never reached a server, and reads without an answer, carry no
   * information.
   */
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
