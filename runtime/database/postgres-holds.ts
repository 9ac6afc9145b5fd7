/**
 * Whether connections that are reserved for a transaction are still there. The driver brings the process down when a
 * statement goes to a reserved connection that has been lost, so nothing may be sent to one.
 */
export interface Hold {
  connection: number | undefined;
  isLost: boolean;
}

export type Holds = ReturnType<typeof createHolds>;

export const createHolds = () => {
  const held = new Map<number, Hold>();
  return {
    take: (): Hold => ({ connection: undefined, isLost: false }),
    /** Options for the first statement on the connection: by it the driver tells which one it is. */
    watch: (hold: Hold) => ({
      onexecute({ id }: { readonly id: number }): true {
        hold.connection = id;
        held.set(id, hold);
        return true;
      },
    }),
    release(hold: Hold): void {
      if (hold.connection !== undefined) held.delete(hold.connection);
    },
    /** For the driver to call when it has lost a connection. */
    onClose(connection: number): void {
      const hold = held.get(connection);
      if (hold) hold.isLost = true;
    },
  };
};
