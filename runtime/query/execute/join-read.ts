/** Rows that are tied to their parents by a link table or by a column of their own. */
import type { Row } from "../../database/database.ts";
import type { JoinPlan } from "../plan/plan.ts";
import { LevelRead } from "./level-read.ts";

export class JoinRead {
  readonly #plan: JoinPlan;
  readonly #positions = new Map<string, number[]>();
  #read: LevelRead | undefined;

  constructor(plan: JoinPlan) {
    this.#plan = plan;
  }

  async load(parent: LevelRead): Promise<void> {
    const { statement, level, keyIndex, locale, parentKey } = this.#plan;
    const { run } = parent;
    const keys = parentKey === "id" ? idsOf(parent) : documentIdsOf(parent);
    const rows = await statement.run(
      run.session,
      run.bindings,
      locale === "same" ? { keys, locales: parent.locales } : { keys },
    );
    const read = await LevelRead.load(run, level, rows);
    rows.forEach((row, position) => {
      const key = String(row[keyIndex]);
      const list = this.#positions.get(key);
      if (list === undefined) this.#positions.set(key, [position]);
      else list.push(position);
    });
    this.#read = read;
  }

  /** The positions, in the answer of the statement, of the rows that belong to a row of the parent. */
  of(parent: LevelRead, row: Row): readonly number[] {
    const { parentKey, locale } = this.#plan;
    const key = row[parentKey === "id" ? parent.level.idIndex : parent.level.documentIdIndex];
    const positions = this.#positions.get(String(key)) ?? [];
    const read = this.#read;
    if (read === undefined || locale === "any") return positions;
    if (locale === "first") return firstOfEach(read, positions);
    const own = parent.localeOf(row);
    return positions.filter((position) => (localeAt(read, position) === own) === (locale === "same"));
  }

  text(position: number): string {
    if (this.#read === undefined) throw new Error("Nothing was read");
    return this.#read.text(position);
  }
}

const idsOf = ({ rows, level }: LevelRead): number[] => rows.map((row) => Number(row[level.idIndex]));

const documentIdsOf = ({ rows, level }: LevelRead): string[] => [
  ...new Set(rows.map((row) => String(row[level.documentIdIndex]))),
];

const localeAt = (read: LevelRead, position: number): string | undefined => {
  const row = read.rows[position];
  return row && read.localeOf(row);
};

/** One version of every document: the first. */
const firstOfEach = (read: LevelRead, positions: readonly number[]): number[] => {
  const seen = new Set<unknown>();
  return positions.filter((position) => {
    const documentId = read.rows[position]?.[read.level.documentIdIndex];
    const fresh = !seen.has(documentId);
    seen.add(documentId);
    return fresh;
  });
};
