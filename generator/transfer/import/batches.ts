/** How many rows, and how many characters of them, go into one statement. */
const ROWS = 500;
const CHARACTERS = 4_000_000;

export interface Batches<Row> {
  /** Hands rows on when there are enough of them. */
  add(row: Row, characters: number): Promise<void>;
  /** Hands on what is left. */
  end(): Promise<void>;
}

/** Collects rows, and gives them to `write` in lists. */
export const createBatches = <Row>(write: (rows: readonly Row[]) => Promise<void>): Batches<Row> => {
  let rows: Row[] = [];
  let size = 0;
  const end = async (): Promise<void> => {
    if (rows.length === 0) return;
    const full = rows;
    rows = [];
    size = 0;
    await write(full);
  };
  return {
    async add(row, characters) {
      rows.push(row);
      size += characters;
      if (rows.length >= ROWS || size >= CHARACTERS) await end();
    },
    end,
  };
};
