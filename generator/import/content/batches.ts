/** How many rows, and how many characters of them, go into one statement. */
const ROWS = 500;
const CHARACTERS = 4_000_000;

/** Collects rows, and gives them to `write` in lists, one after another; the next rows are collected meanwhile. */
export const createBatches = <Row>(write: (rows: readonly Row[]) => Promise<unknown>) => {
  let rows: Row[] = [];
  let size = 0;
  let written: Promise<unknown> = Promise.resolve();
  const handOn = async (): Promise<void> => {
    await written;
    if (rows.length === 0) return;
    written = write(rows);
    // Whoever waits for it next gets the error.
    written.catch(() => {});
    rows = [];
    size = 0;
  };
  return {
    /** Hands rows on when there are enough of them, once those before are written. */
    async add(row: Row, characters: number): Promise<void> {
      rows.push(row);
      size += characters;
      if (rows.length >= ROWS || size >= CHARACTERS) await handOn();
    },
    /** Hands on what is left, and waits until all of it is written. */
    async end(): Promise<void> {
      await handOn();
      await written;
    },
  };
};
