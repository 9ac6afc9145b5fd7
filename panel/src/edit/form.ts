/** The values of a form, at any depth. However large the form, a field re-renders only when its own value changes. */
import { createContext, useCallback, useContext, useSyncExternalStore } from "react";

export type Path = readonly (string | number)[];

export type Values = Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is Readonly<Record<string | number, unknown>> =>
  typeof value === "object" && value !== null;

export const valueAt = (values: unknown, path: Path): unknown => {
  let at = values;
  for (const step of path) at = isContainer(at) ? at[step] : undefined;
  return at;
};

/** A copy with another value at a path; everything beside the path is shared with the original. */
const withValue = (values: unknown, [step, ...rest]: Path, value: unknown): unknown => {
  if (step === undefined) return value;
  if (Array.isArray(values)) return values.map((item, index) => (index === step ? withValue(item, rest, value) : item));
  const before = isContainer(values) ? values : {};
  return { ...before, [step]: withValue(before[step], rest, value) };
};

const keyOf = (path: Path): string => path.join(".");

/** Creates the state of a form. `name` distinguishes the elements of two forms on one page. */
export const createForm = (initial: Values, name = "field") => {
  let values: Values = initial;
  let saved: Values = initial;
  let base: string | undefined;
  let isStored = false;
  let faults: ReadonlyMap<string, string> = new Map();
  const changedNames = (): readonly string[] => Object.keys(values).filter((each) => values[each] !== saved[each]);
  const listeners = new Set<() => void>();
  const blocked = new Set<string>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get values() {
      return values;
    },
    /** The stored values. */
    get saved() {
      return saved;
    },
    set(path: Path, value: unknown) {
      const next = withValue(values, path, value);
      values = isContainer(next) ? next : {};
      if (faults.has(keyOf(path))) {
        const left = new Map(faults);
        left.delete(keyOf(path));
        faults = left;
      }
      tell();
    },
    /** Sets several values at once, as unsaved input. */
    fill(next: Values) {
      values = { ...values, ...next };
      tell();
    },
    /** When the version that the input is based on was stored; undefined for a new one. */
    get base() {
      return base;
    },
    /** Sets the stored values, and starts again from them. */
    reset(next: Values, at?: string) {
      values = next;
      saved = next;
      base = at;
      faults = new Map();
      blocked.clear();
      tell();
    },
    /** Records that `sent` is stored. What was typed since stays unsaved. */
    accept(sent: Values) {
      saved = sent;
      isStored = true;
      faults = new Map();
      tell();
    },
    /** Takes over a version that was read, unless there is unsaved input on another one: saving shows that conflict. */
    load(next: Values, at: string | undefined) {
      const unsaved = changedNames();
      if (unsaved.length > 0 && !isStored && base !== undefined && base !== at) return;
      isStored = false;
      values = { ...next, ...Object.fromEntries(unsaved.map((each) => [each, values[each]])) };
      saved = next;
      base = at;
      tell();
    },
    /** The names of attributes whose values differ from the stored ones. */
    changed: changedNames,
    /** The values of these. */
    unsaved: (): Values => Object.fromEntries(changedNames().map((each) => [each, values[each]])),
    /** The id of the element that shows the field at a path. */
    elementId: (path: Path): string => `${name}-${keyOf(path)}`,
    /** Sets whether the input at a path is incomplete. While any is, the form cannot be saved. */
    block(path: Path, isBlocked: boolean) {
      if (isBlocked) blocked.add(keyOf(path));
      else blocked.delete(keyOf(path));
      tell();
    },
    /** The paths with incomplete input. */
    blocked: (): readonly string[] => [...blocked],
    setFaults(next: ReadonlyMap<string, string>) {
      faults = next;
      tell();
    },
    get faults() {
      return faults;
    },
    fault: (path: Path): string | undefined => faults.get(keyOf(path)),
    /** Whether there is a fault at a path or below it. */
    hasFault: (path: Path): boolean => {
      const key = keyOf(path);
      return [...faults.keys()].some((other) => other === key || other.startsWith(`${key}.`));
    },
  };
};

export type Form = ReturnType<typeof createForm>;

export const FormContext = createContext<Form | undefined>(undefined);

export const useForm = (): Form => {
  const form = useContext(FormContext);
  if (!form) throw new Error("a field needs a form around it");
  return form;
};

/** Selects something from the form. `select` must return the same value as long as nothing has changed. */
export const useOfForm = <Result>(select: (form: Form) => Result): Result => {
  const form = useForm();
  return useSyncExternalStore(form.subscribe, () => select(form));
};

interface FieldState {
  readonly value: unknown;
  readonly fault: string | undefined;
  set(value: unknown): void;
}

/** The value at a path. `path` may be another list with the same steps each time. */
export const useField = (path: Path): FieldState => {
  const form = useForm();
  const key = keyOf(path);
  const value = useSyncExternalStore(form.subscribe, () => valueAt(form.values, path));
  const fault = useSyncExternalStore(form.subscribe, () => form.fault(path));
  const set = useCallback((next: unknown) => form.set(path, next), [form, key]);
  return { value, fault, set };
};
