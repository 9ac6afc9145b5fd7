/** Settings of the new project, from which `cms.config.ts` is written. */
import type { Cast, Value } from "../code/value-type.ts";

/** A line of `cms.config.ts`. */
export interface Setting {
  /** Its path, such as `rest.maxLimit`. */
  readonly name: string;
  /** TypeScript. */
  readonly expression: string;
  /** Its origin, for the trailing comment. */
  readonly from: string;
}

/** The setting's type here. */
export type Wanted = "text" | "number" | "boolean" | "texts";

const quote = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);

const literalOf = (value: unknown, wanted: Wanted): string | undefined => {
  if (wanted === "text") return typeof value === "string" ? quote(value) : undefined;
  if (wanted === "boolean") return typeof value === "boolean" ? String(value) : undefined;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return wanted === "number" && typeof number === "number" && Number.isFinite(number) ? String(number) : undefined;
};

const textIn = (value: Value | undefined): string | undefined =>
  value?.kind === "literal" && value.value !== null ? String(value.value) : undefined;

/** The casts that convert a variable to the wanted type. */
const fits: Readonly<Record<Wanted, readonly Cast[]>> = {
  text: ["text"],
  number: ["int", "float", "text"],
  boolean: ["bool", "text"],
  texts: ["array"],
};

const variable = (value: Extract<Value, { kind: "variable" }>, wanted: Wanted): string | undefined => {
  const { name, cast, fallback } = value;
  if (!fits[wanted].includes(cast)) return undefined;
  const items = fallback?.kind === "list" ? fallback.items.map(textIn) : undefined;
  const otherwise = items?.every((each) => each !== undefined) ? items.join(",") : textIn(fallback);
  if (fallback !== undefined && otherwise === undefined) return undefined;
  const read = `env[${quote(name)}]`;
  const text = otherwise === undefined ? read : `${read} ?? ${quote(otherwise)}`;
  if (wanted === "text") return text;
  if (wanted === "boolean") return `(${text}) === "true"`;
  if (wanted === "texts") return `(${otherwise === undefined ? `${read} ?? ""` : text}).split(",")`;
  return otherwise === undefined ? `${read} === undefined ? undefined : Number(${read})` : `Number(${text})`;
};

const ENVIRONMENT =
  /^(!?)(?:env(\.bool)?\(["']([\w.-]+)["']\)|process\.env\.(\w+))(?: ?(===?|!==?) ?["']([\w.-]*)["'])?$/;

/** A condition on one environment variable, in the form of our configuration. */
export const environmentCondition = ({ condition = "" }: Value): string | undefined => {
  const [, not, bool, called, dotted, operator, text] = ENVIRONMENT.exec(condition) ?? [];
  const name = called ?? dotted;
  if (name === undefined || (not !== "" && operator !== undefined)) return undefined;
  const read = `env[${quote(name)}]`;
  if (operator !== undefined && text !== undefined) return `${read} ${operator.slice(0, 1)}== ${quote(text)}`;
  if (bool === undefined) return `${not}${read}`;
  return `${read} ${not === "" ? "===" : "!=="} "true"`;
};

/** A value as TypeScript of the wanted type; undefined if it has another type. */
export const expressionOf = (value: Value, wanted: Wanted): string | undefined => {
  const held = plainExpression(value, wanted);
  const condition = environmentCondition(value);
  const otherwise = value.otherwise && plainExpression(value.otherwise, wanted);
  if (value.condition === undefined || otherwise === undefined) return held;
  return held && condition ? `${condition} ? ${held} : ${otherwise}` : (held ?? otherwise);
};

const plainExpression = (value: Value, wanted: Wanted): string | undefined => {
  if (value.kind === "literal") return literalOf(value.value, wanted);
  if (value.kind === "variable") return variable(value, wanted);
  if (value.kind !== "list" || wanted !== "texts") return undefined;
  const items = value.items.map((item) => expressionOf(item, "text"));
  const known = items.filter((item) => item !== undefined);
  if (known.length < items.length) return undefined;
  const mayLack = value.items.some((item) => item.kind === "variable" && item.fallback === undefined);
  return mayLack ? `[${known.join(", ")}].filter((each) => each !== undefined)` : `[${known.join(", ")}]`;
};

/** A value's path, and its name there. */
export const origin = ({ at, condition, otherwise }: Value, name: string): string => {
  const place = `${at.file}:${at.line} ${name}`;
  if (condition === undefined) return place;
  const other = otherwise?.kind === "literal" && otherwise.value !== null ? String(otherwise.value) : undefined;
  const elsewhere = otherwise && other === undefined && otherwise.kind !== "literal" ? "what stands there" : "not set";
  return `${place}, if ${condition}; otherwise ${other ?? elsewhere}`;
};

/** A text as a TypeScript literal. */
export const quoted = quote;

/** A name as a key of an object. */
export const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));
