/** What every check needs: the caller, the schema, and where to collect the query's values. */
import type { Caller } from "../../access/caller.ts";
import { mayReadDrafts } from "../../access/drafts.ts";
import type { Config } from "../../config/config.ts";
import type { Parameter } from "../../database/database.ts";
import type { ContentType, Uid } from "../../schema/content-type.ts";
import type { Cursors } from "../cursor/cursors.ts";
import type { AnyStatus, Cohort, CostLimit, QueryPath, Slot } from "../query.ts";
import type { Member, Owner, RelationMember, Schema } from "../schema.ts";
import { Budget, UNLIMITED } from "./budget.ts";

/** What the caller, and trusted application code, may name in a query. */
export interface Schemas {
  readonly own: Schema;
  readonly revealing: Schema;
}

/** Page sizes; values above `maxLimit` are reduced to it. */
export type PageLimits = Pick<Config["rest"], "defaultLimit" | "maxLimit" | "withCount">;

export interface CheckOptions {
  /** Whether one document is read, which means no pagination and exactly one locale. */
  readonly single: boolean;
  /** Whether the parameters come from code, where numbers are real numbers. */
  readonly code: boolean;
  /** Whether locales fall back as configured where the query does not specify it. */
  readonly fallsBack?: boolean | undefined;
  /** Page limits, if not those of REST. */
  readonly limits?: PageLimits | undefined;
  /** Whether application code makes the query, and so may name private attributes. */
  readonly trusted?: boolean | undefined;
  /** The budget of the request, if this query is one of several in it. */
  readonly budget?: Budget | undefined;
}

interface CheckFor extends Pick<CheckOptions, "code" | "limits" | "trusted" | "budget"> {
  /** Reads the cursors of lists. */
  readonly cursors: Cursors;
  /** Values that precede those of the query. */
  readonly parameters?: readonly Parameter[] | undefined;
}

export class CheckContext {
  readonly config: Config;
  readonly cursors: Cursors;
  readonly parameters: Parameter[];
  /**
   * Every permission that was checked, with the result. A checked query can be reused for callers with the same
   * results.
   */
  readonly consulted = new Map<string, boolean>();
  /** The publication filter of the request. It also applies to populated relations to types with draft & publish. */
  #cohort: Cohort | undefined = undefined;
  readonly budget: Budget;
  /** Whether relations show what they showed in version 4: see {@link Populate}. */
  isOld = false;
  readonly #caller: Caller;
  readonly #schemas: Schemas;
  /** Whether the part being checked comes from application code, with all rights. */
  isTrusted: boolean;

  constructor(
    schemas: Schemas,
    config: Config,
    caller: Caller,
    { code, limits, trusted = false, budget, cursors, parameters = [] }: CheckFor,
  ) {
    this.parameters = [...parameters];
    // Code that queries within page limits does so for clients, unless it has all rights.
    const isUnlimited = code && (trusted || limits === undefined);
    this.#schemas = schemas;
    this.isTrusted = trusted;
    this.config = config;
    this.cursors = cursors;
    this.#caller = caller;
    this.budget = budget ?? new Budget(config, isUnlimited ? UNLIMITED : config.limits);
  }

  /** The maximum cost of a statement; undefined if filters and sorts follow no to-many relation. */
  get costLimit(): CostLimit | undefined {
    const { followed: at, limits } = this.budget;
    const most = limits.queryCost;
    return at && Number.isFinite(most) ? { most, at } : undefined;
  }

  /** The attributes that may be named: no private ones, except for application code with all rights. */
  get schema(): Schema {
    return this.isTrusted ? this.#schemas.revealing : this.#schemas.own;
  }

  /** Checks, with all rights, a part of the query that application code has added. */
  trusting<Result>(check: () => Result): Result {
    const before = this.isTrusted;
    this.isTrusted = true;
    try {
      return check();
    } finally {
      this.isTrusted = before;
    }
  }

  slot(value: Parameter): Slot {
    return this.parameters.push(value) - 1;
  }

  can(action: string): boolean {
    if (this.isTrusted) return true;
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
   * The publication filter for documents of a type. Undefined if the caller may not read drafts of it, since the filter
   * would reveal which documents have drafts.
   */
  cohortOf({ uid, draftAndPublish }: ContentType): Cohort | undefined {
    return draftAndPublish && this.#cohort && this.mayReadDrafts(uid) ? this.#cohort : undefined;
  }

  /** Whether the caller may see documents of the type through a relation. Files are visible to everybody. */
  mayFind(uid: Uid): boolean {
    return uid === "plugin::upload.file" || this.can(`${uid}.find`);
  }

  /**
   * Whether the caller may follow the relation. It may always follow a relation to any type, which shows only documents
   * that it may see.
   */
  mayFollow({ target }: RelationMember): boolean {
    return target === undefined || this.mayFind(target);
  }

  /**
   * Whether populate may list a member: only application code, or a GraphQL operation that names them, may list the
   * users of a role.
   */
  mayList(owner: Owner, { name }: Member): boolean {
    return name !== "users" || owner.uid !== "plugin::users-permissions.role" || this.#caller.kind === "system";
  }

  /**
   * The versions that a relation leads to from versions of `status`. `beyond` applies if the source type has no drafts.
   * A caller who may not read drafts of the target type gets published versions.
   */
  statusOf(owner: Owner, status: AnyStatus, target: Uid, beyond: AnyStatus): AnyStatus {
    const wanted = owner.type === undefined || owner.type.draftAndPublish ? status : beyond;
    if (wanted === "published" || !this.schema.type(target).type.draftAndPublish) return wanted;
    return this.mayReadDrafts(target) ? wanted : "published";
  }
}

/** A place in a query, and the owner of the names there. */
export interface Position extends QueryPath {
  readonly context: CheckContext;
  readonly owner: Owner;
  /** The status of the versions there. */
  readonly status: AnyStatus;
}

/** Whether a name may be an attribute: `id` and `documentId` are not. */
export const isAttribute = (name: string): boolean => name !== "id" && name !== "documentId";

/** A raw value as text; lists are joined by commas. Parsed objects have no text. */
export const rawText = (raw: unknown): string => {
  if (Array.isArray(raw)) return raw.map(rawText).join(",");
  return typeof raw === "object" && raw !== null ? "[object Object]" : String(raw ?? "");
};

/** The boolean that a word in a query string stands for; undefined for any other word. */
export const booleanWord = (value: unknown): boolean | undefined => {
  if (value === true || value === "true" || value === "t" || value === "1" || value === 1) return true;
  if (value === false || value === "false" || value === "f" || value === "0" || value === 0) return false;
  return undefined;
};
