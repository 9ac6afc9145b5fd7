/** The rows of one level, everything that completes them, and their text. */
import type { Row, Value } from "../../database/database.ts";
import type { MemberPlan, RowLevel } from "../plan/plan.ts";
import { listText, writeItem } from "../serialize/item.ts";
import { memberText } from "../serialize/member.ts";
import { collect } from "./collect.ts";
import { GroupRead } from "./group-read.ts";
import { JoinRead } from "./join-read.ts";
import { LinkRead } from "./link-read.ts";
import type { Run } from "./run.ts";

export class LevelRead {
  readonly run: Run;
  readonly level: RowLevel;
  readonly rows: readonly Row[];
  readonly groups: readonly GroupRead[];
  readonly joins: readonly JoinRead[];
  readonly links: readonly LinkRead[];
  /** The JSON of components, parsed once, by row and column. */
  readonly #json = new Map<Row, Map<number, unknown>>();
  readonly #texts: string[] = [];

  private constructor(run: Run, level: RowLevel, rows: readonly Row[]) {
    this.run = run;
    this.level = level;
    this.rows = rows;
    this.groups = level.groups.map((plan) => new GroupRead(plan));
    this.joins = level.joins.map((plan) => new JoinRead(plan));
    this.links = level.links.map((plan) => new LinkRead(plan));
  }

  /** Reads what completes `rows`: everything of this level at once, then the levels below. */
  static async load(run: Run, level: RowLevel, rows: readonly Row[]): Promise<LevelRead> {
    const read = new LevelRead(run, level, rows);
    if (rows.length > 0 && level.members.length > 0) await read.#complete();
    return read;
  }

  async #complete(): Promise<void> {
    const joins = this.joins.map((join) => join.load(this));
    await Promise.all(this.links.map((link) => link.load(this)));
    for (const member of this.level.members) {
      for (const row of this.rows) collect(this, member, this.valueOf(member, row), row);
    }
    await Promise.all([...joins, ...this.groups.map((group) => group.load(this))]);
  }

  localeOf(row: Row): string | undefined {
    const { localeIndex } = this.level;
    return localeIndex === undefined ? undefined : String(row[localeIndex]);
  }

  /** The locales of the rows, or the default one where they have none. */
  get locales(): string[] {
    const { localeIndex } = this.level;
    if (localeIndex === undefined) return [this.run.bindings.defaultLocale];
    return [...new Set(this.rows.map((row) => String(row[localeIndex])))];
  }

  /** What stands in the member's column; components come parsed. */
  valueOf(member: MemberPlan, row: Row): unknown {
    if (member.index === undefined) return null;
    const value = row[member.index] ?? null;
    return member.kind === "component" || member.kind === "zone" ? this.#parsed(row, member.index, value) : value;
  }

  #parsed(row: Row, index: number, value: Value): unknown {
    let columns = this.#json.get(row);
    if (columns === undefined) {
      columns = new Map();
      this.#json.set(row, columns);
    }
    if (!columns.has(index)) columns.set(index, typeof value === "string" ? JSON.parse(value) : null);
    return columns.get(index);
  }

  /** The text of one row. */
  text(index: number): string {
    let text = this.#texts[index];
    if (text === undefined) {
      text = this.#write(index);
      this.#texts[index] = text;
    }
    return text;
  }

  /** All rows, as a JSON array. */
  list(): string {
    return listText([...this.rows.keys()], (index) => this.text(index));
  }

  #write(index: number): string {
    const row = this.rows[index];
    if (row === undefined) throw new Error(`There is no row ${index}`);
    const members = this.level.members.map((member) => memberText(this, member, this.valueOf(member, row), row));
    return writeItem(this.level, row, members, this.run.nested);
  }
}
