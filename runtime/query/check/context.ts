/** What every check needs: who asks, what is declared, and where the values of the query are collected. */
import type { Caller } from "../../access/caller.ts";
import { mayReadDrafts } from "../../access/drafts.ts";
import type { Config } from "../../config/config.ts";
import type { Parameter } from "../../database/database.ts";
import type { ContentType, Uid } from "../../schema/content-type.ts";
import type { Cohort, Level, Slot, AnyStatus } from "../query.ts";
import type { Member, Owner, RelationMember, Schema } from "../schema.ts";
import { Budget } from "./budget.ts";
import type { Limits, QuerySize } from "./query-size.ts";

/** What the caller may name, and what code with all rights may. */
export interface Schemas {
  readonly own: Schema;
  readonly revealing: Schema;
}

interface CheckFor {
  readonly limits?: Limits;
  /** What the request may spend; one of its own unless this query is one of several. */
  readonly budget?: Budget | undefined;
  /** Code of the application asks, with all rights. */
  readonly isTrusted?: boolean;
}

export class CheckContext {
  readonly config: Config;
  readonly parameters: Parameter[] = [];
  /** Every permission that was asked for, and the answer: a checked query holds for callers with the same answers. */
  readonly consulted = new Map<string, boolean>();
  /** The publication filter of the request, which relations to types with draft & publish take over. */
  #cohort: Cohort | undefined = undefined;
  readonly limits: Limits;
  readonly #budget: Budget;
  readonly #caller: Caller;
  readonly #schemas: Schemas;
  #isTrusted: boolean;

  constructor(
    schemas: Schemas,
    config: Config,
    caller: Caller,
    { limits = config.limits, budget, isTrusted = false }: CheckFor = {},
  ) {
    this.#schemas = schemas;
    this.#isTrusted = isTrusted;
    this.config = config;
    this.#caller = caller;
    this.limits = limits;
    this.#budget = budget ?? new Budget(config, limits);
  }

  /** Counts what filters and sorts are made of. */
  get size(): QuerySize {
    return this.#budget.size;
  }

  /** What may be named: of what is private nothing, unless code of the application with all rights asks. */
  get schema(): Schema {
    return this.#isTrusted ? this.#schemas.revealing : this.#schemas.own;
  }

  /** Checks a part of the query that code of the application has added: it has all rights. */
  trusting<Result>(check: () => Result): Result {
    const before = this.#isTrusted;
    this.#isTrusted = true;
    try {
      return check();
    } finally {
      this.#isTrusted = before;
    }
  }

  /** Counts one more relation or component that filters or sorts look into; too many are a 400. */
  join(): void {
    this.#budget.joins.grow();
  }

  /** Counts one more attribute that is populated. */
  grow(): void {
    this.#budget.breadth.grow();
  }

  /** Refuses a query that reads too much. */
  demandSize(level: Level): void {
    this.#budget.query(level);
  }

  slot(value: Parameter): Slot {
    return this.parameters.push(value) - 1;
  }

  can(action: string): boolean {
    if (this.#isTrusted) return true;
    let answer = this.consulted.get(action);
    if (answer === undefined) {
      answer = this.#caller.can(action);
      this.consulted.set(action, answer);
    }
    return answer;
  }

  mayReadDrafts(uid: Uid): boolean {
    return mayReadDrafts(this.config, this, uid);
  }

  /** Sets the publication filter. */
  filterBy(cohort: Cohort | undefined): void {
    this.#cohort = cohort;
  }

  /**
   * The publication filter, as far as it holds for documents of a type: to callers who may not read its drafts a filter
   * would tell where there are some.
   */
  cohortOf({ uid, draftAndPublish }: ContentType): Cohort | undefined {
    return draftAndPublish && this.#cohort && this.mayReadDrafts(uid) ? this.#cohort : undefined;
  }

  /** Whether documents of the type may be shown through a relation. Files are open to everybody. */
  mayFind(uid: Uid): boolean {
    return uid === "plugin::upload.file" || this.can(`${uid}.find`);
  }

  /** Whether the relation may be followed; one to any type may, and shows what the caller may find. */
  mayFollow({ target }: RelationMember): boolean {
    return target === undefined || this.mayFind(target);
  }

  /** Whether parameters may populate a member: a role lists its users only where code, or an operation, names them. */
  mayList(owner: Owner, { name }: Member): boolean {
    return name !== "users" || owner.uid !== "plugin::users-permissions.role" || this.#caller.kind === "system";
  }

  /**
   * The versions that a relation leads to, seen from versions of `status`. `beyond` is what is read where the source
   * has no drafts of its own. A caller who may not read drafts of the target sees what is published.
   */
  statusOf(owner: Owner, status: AnyStatus, target: Uid, beyond: AnyStatus): AnyStatus {
    const wanted = owner.type === undefined || owner.type.draftAndPublish ? status : beyond;
    if (wanted === "published" || !this.schema.type(target).type.draftAndPublish) return wanted;
    return this.mayReadDrafts(target) ? wanted : "published";
  }
}

/** Whether a name can be that of an attribute; ids are none. */
export const isAttribute = (name: string): boolean => name !== "id" && name !== "documentId";

/** A raw value as text: lists with commas between their items. Parsed objects have no text of their own. */
export const rawText = (raw: unknown): string => {
  if (Array.isArray(raw)) return raw.map(rawText).join(",");
  return typeof raw === "object" && raw !== null ? "[object Object]" : String(raw ?? "");
};

/** The words for yes and no in query strings; undefined for anything else. */
export const booleanWord = (value: unknown): boolean | undefined => {
  if (value === true || value === "true" || value === "t" || value === "1" || value === 1) return true;
  if (value === false || value === "false" || value === "f" || value === "0" || value === 0) return false;
  return undefined;
};
