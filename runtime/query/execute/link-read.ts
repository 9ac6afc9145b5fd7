/** The links of a relation to documents of any type. */
import type { Row } from "../../database/database.ts";
import type { LinkPlan } from "../plan/plan.ts";
import type { TypedKey } from "./collect.ts";
import type { LevelRead } from "./level-read.ts";

export class LinkRead {
  readonly #plan: LinkPlan;
  readonly #keys = new Map<string, TypedKey[]>();

  constructor(plan: LinkPlan) {
    this.#plan = plan;
  }

  async load({ run, rows, level }: LevelRead): Promise<void> {
    const keys = rows.map((row) => Number(row[level.idIndex]));
    const links = await this.#plan.statement.run(run.session, run.bindings, { keys });
    for (const [version, type, documentId] of links) {
      const key = { type: String(type), documentId: String(documentId) };
      const list = this.#keys.get(String(version));
      if (list === undefined) this.#keys.set(String(version), [key]);
      else list.push(key);
    }
  }

  of({ level }: LevelRead, row: Row): readonly TypedKey[] {
    return this.#keys.get(String(row[level.idIndex])) ?? [];
  }
}
