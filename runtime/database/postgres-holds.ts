/**
 * Whether the connections of transactions are still there. The driver brings the process down when a statement goes to
 * a connection that was lost in a transaction, so nothing may be sent to one.
 */
export interface Hold {
  isLost: boolean;
}

export type Holds = ReturnType<typeof createHolds>;

export const createHolds = () => {
  const known = new Map<number, Hold>();
  const unknown = new Set<Hold>();
  return {
    /** For a transaction that has begun; which connection it has is not known yet. */
    take(): Hold {
      const hold = { isLost: false };
      unknown.add(hold);
      return hold;
    },
    /** Options for the statements of a transaction: by its first one the driver tells which connection it has. */
    watch: (hold: Hold) =>
      unknown.has(hold)
        ? {
            onexecute({ id }: { readonly id: number }): true {
              unknown.delete(hold);
              known.set(id, hold);
              return true;
            },
          }
        : {},
    release(hold: Hold): void {
      unknown.delete(hold);
      for (const [id, each] of known) if (each === hold) known.delete(id);
    },
    /** For the driver to call when it has lost a connection: it may be that of any whose connection is not known. */
    onClose(connection: number): void {
      const hold = known.get(connection);
      known.delete(connection);
      for (const each of hold ? [hold] : unknown) each.isLost = true;
    },
  };
};
