/**
 * Which of the generated types, fields and operations an application has switched off.
 * It is filled while `register` runs and read while the schema is built.
 */
import { didYouMean } from "../../base/did-you-mean.ts";
import { SetupError } from "../../base/setup-error.ts";

export type Action = "find" | "findOne" | "create" | "update" | "delete";

const QUERIES: readonly Action[] = ["find", "findOne"];
const MUTATIONS: readonly Action[] = ["create", "update", "delete"];
const ACTIONS: ReadonlySet<string> = new Set([...QUERIES, ...MUTATIONS]);

/** Code that was not type-checked may name anything: a switch that switches nothing off would be a hole. */
export const checkKnown = (what: string, name: string, known: ReadonlySet<string>): void => {
  if (!known.has(name))
    throw new SetupError(`app.ts names what is not there: there is no ${what} "${name}".${didYouMean(name, known)}`);
};

interface FieldSwitches {
  output: boolean;
  input: boolean;
  filters: boolean;
}

/** The handle on one field; every switch returns it, so that calls chain. */
export class FieldHandle {
  readonly #switches: FieldSwitches = { output: true, input: true, filters: true };

  disable(): this {
    this.#switches.output = false;
    this.#switches.input = false;
    this.#switches.filters = false;
    return this;
  }

  disableOutput(): this {
    this.#switches.output = false;
    return this;
  }

  disableInput(): this {
    this.#switches.input = false;
    return this;
  }

  disableFilters(): this {
    this.#switches.filters = false;
    return this;
  }

  /** True while anything of the field is left. */
  isEnabled(): boolean {
    return this.#switches.output || this.#switches.input || this.#switches.filters;
  }

  isDisabled(): boolean {
    return !this.isEnabled();
  }

  hasOutputEnabled(): boolean {
    return this.#switches.output;
  }

  hasInputEnabled(): boolean {
    return this.#switches.input;
  }

  hasFiltersEnabled(): boolean {
    return this.#switches.filters;
  }

  /** The spelling that existing applications call. */
  hasFiltersEnabeld(): boolean {
    return this.hasFiltersEnabled();
  }
}

/** The handle on one content type or component. */
export class TypeHandle<Field extends string = string, Allowed extends string = Action> {
  #enabled = true;
  #queries = true;
  #mutations = true;
  readonly #disabledActions = new Set<string>();
  readonly #fields = new Map<string, FieldHandle>();
  readonly #uid: string;
  readonly #fieldNames: ReadonlySet<string> | undefined;

  /** Fields with other names than `fieldNames` are refused; without names, none are. */
  constructor(uid: string, fieldNames: ReadonlySet<string> | undefined) {
    this.#uid = uid;
    this.#fieldNames = fieldNames;
  }

  /** Leaves out the type, its inputs and filters, and every relation that points to it. */
  disable(): this {
    this.#enabled = false;
    return this;
  }

  disableQueries(): this {
    this.#queries = false;
    return this;
  }

  disableMutations(): this {
    this.#mutations = false;
    return this;
  }

  /** Leaves out one operation; `*` leaves out all of them. */
  disableAction(action: Allowed | "*"): this {
    if (action !== "*") checkKnown("action", action, ACTIONS);
    for (const each of action === "*" ? ACTIONS : [action]) this.#disabledActions.add(each);
    return this;
  }

  disableActions(actions: readonly Allowed[]): this {
    for (const action of actions) this.disableAction(action);
    return this;
  }

  isEnabled(): boolean {
    return this.#enabled;
  }

  isDisabled(): boolean {
    return !this.#enabled;
  }

  areQueriesEnabled(): boolean {
    return this.#queries;
  }

  areQueriesDisabled(): boolean {
    return !this.#queries;
  }

  areMutationsEnabled(): boolean {
    return this.#mutations;
  }

  areMutationsDisabled(): boolean {
    return !this.#mutations;
  }

  isActionEnabled(action: Allowed): boolean {
    return !this.#disabledActions.has(action);
  }

  isActionDisabled(action: Allowed): boolean {
    return this.#disabledActions.has(action);
  }

  /** The handle on one attribute or system field; the same one at every call. */
  field(name: Field): FieldHandle {
    const known = this.#fields.get(name);
    if (known) return known;
    if (this.#fieldNames) checkKnown(`field of ${this.#uid} called`, name, this.#fieldNames);
    const handle = new FieldHandle();
    this.#fields.set(name, handle);
    return handle;
  }
}

/** All handles of one application. */
export class ShadowCrud {
  readonly #types = new Map<string, TypeHandle>();
  readonly #fieldNames: ReadonlyMap<string, ReadonlySet<string>>;

  /** @param fieldNames what can be switched off, by uid of the content type */
  constructor(fieldNames: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#fieldNames = fieldNames;
  }

  /** The uids of the content types. */
  get uids(): ReadonlySet<string> {
    return new Set(this.#fieldNames.keys());
  }

  /** The handle on a content type or component, by uid; the same one at every call. */
  type(uid: string): TypeHandle {
    const known = this.#types.get(uid);
    if (known) return known;
    const handle = new TypeHandle(uid, this.#fieldNames.get(uid));
    this.#types.set(uid, handle);
    return handle;
  }

  /** Whether the schema has this operation of the type. */
  offers(uid: string, action: Action): boolean {
    const handle = this.type(uid);
    const group = QUERIES.includes(action) ? handle.areQueriesEnabled() : handle.areMutationsEnabled();
    return handle.isEnabled() && group && handle.isActionEnabled(action);
  }
}
