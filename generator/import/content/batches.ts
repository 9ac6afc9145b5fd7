/** Limits the rows, and their characters, per statement. */
const ROWS = 500;
const CHARACTERS = 4_000_000;

/** Collects rows and passes them to `write` in lists, one list at a time; collects the next rows meanwhile. */
export const createBatches = <Row>(write: (rows: readonly Row[]) => Promise<unknown>) => {
  let rows: Row[] = [];
  let size = 0;
  let written: Promise<unknown> = Promise.resolve();
  const handOn = async (): Promise<void> => {
    await written;
    if (rows.length === 0) return;
    written = write(rows);
    // The next caller that waits for it gets the error.
    written.catch(() => {});
    rows = [];
    size = 0;
  };
  return {
    /** Passes rows on once there are enough of them and the previous ones are written. */
    async add(row: Row, characters: number): Promise<void> {
      rows.push(row);
      size += characters;
      if (rows.length >= ROWS || size >= CHARACTERS) await handOn();
    },
    /** Passes on the rest, and waits until all of it is written. */
    async end(): Promise<void> {
      await handOn();
      await written;
    },
  };
};
