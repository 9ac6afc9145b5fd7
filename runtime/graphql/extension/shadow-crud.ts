/**
 * Which of the generated types, fields and operations an application has switched off.
 * It is filled while `register` runs and read while the schema is built.
 */

export type Action = "find" | "findOne" | "create" | "update" | "delete";

const QUERIES: readonly Action[] = ["find", "findOne"];
const MUTATIONS: readonly Action[] = ["create", "update", "delete"];

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
    if (action === "*") for (const each of [...QUERIES, ...MUTATIONS]) this.#disabledActions.add(each);
    else this.#disabledActions.add(action);
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
    const handle = new FieldHandle();
    this.#fields.set(name, handle);
    return handle;
  }
}

/** All handles of one application. */
export class ShadowCrud {
  readonly #types = new Map<string, TypeHandle>();

  /** The handle on a content type or component, by uid; the same one at every call. */
  type(uid: string): TypeHandle {
    const known = this.#types.get(uid);
    if (known) return known;
    const handle = new TypeHandle();
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
