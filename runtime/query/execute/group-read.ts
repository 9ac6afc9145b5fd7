/** Documents or files that are read by their keys. */
import type { Row } from "../../database/database.ts";
import type { GroupPlan } from "../plan/plan.ts";
import { LevelRead } from "./level-read.ts";

export class GroupRead {
  readonly #plan: GroupPlan;
  readonly #keys = new Set<string | number>();
  readonly #found = new Map<string, number>();
  #read: LevelRead | undefined;

  constructor(plan: GroupPlan) {
    this.#plan = plan;
  }

  want(key: unknown): void {
    if (this.#plan.files) {
      const id = Number(key);
      if (Number.isInteger(id)) this.#keys.add(id);
    } else if (typeof key === "string") this.#keys.add(key);
  }

  async load(parent: LevelRead): Promise<void> {
    if (this.#keys.size === 0) return;
    const { statement, level, files, localized, typed } = this.#plan;
    const run = typed ? { ...parent.run, nested: false } : parent.run;
    const keys = files ? [...this.#keys].map(Number) : [...this.#keys].map(String);
    const rows = await statement.run(
      run.session,
      run.bindings,
      localized ? { keys, locales: parent.locales } : { keys },
    );
    const read = await LevelRead.load(run, level, rows);
    rows.forEach((row, index) => this.#found.set(this.#keyOf(row, read), index));
    this.#read = read;
  }

  #keyOf(row: Row, read: LevelRead): string {
    const { files, level, localized } = this.#plan;
    if (files) return String(row[level.idIndex]);
    const documentId = String(row[level.documentIdIndex]);
    return localized ? `${documentId} ${read.localeOf(row)}` : documentId;
  }

  /** The positions, in the answer of the statement, of what `keys` lead to from a row of `locale`. */
  positions(keys: readonly unknown[], locale: string): number[] {
    const { files, localized, sorted } = this.#plan;
    const found: number[] = [];
    for (const key of keys) {
      const position = this.#found.get(localized && !files ? `${String(key)} ${locale}` : String(key));
      if (position !== undefined) found.push(position);
    }
    return sorted ? found.toSorted((left, right) => left - right) : found;
  }

  text(position: number): string {
    if (this.#read === undefined) throw new Error("Nothing was read");
    return this.#read.text(position);
  }
}
