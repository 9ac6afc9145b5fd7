/** Tells whether two types are the same. */

/** Compiles where both types are the same. */
type Same<One, Other> =
  (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2 ? true : never;
/** Nested intersections of what was read, as one object. */
type Plain<Value> = Value extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Value extends object
    ? { [Name in keyof Value]: Plain<Value[Name]> }
    : Value;
/** `is<Wanted>().of(value, true)` compiles where the value is of that type. */
export const is = <Wanted>() => ({
  of: <Value>(_value: Value, _same: Same<Plain<Value>, Wanted>): void => undefined,
});
