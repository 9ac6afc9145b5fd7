/**
 * Lays expressions out as the formatter of this repository would: on one line where it fits, one member a line where
 * it does not, so that generated files need no formatting afterwards.
 */
import type {
  ArrayExpression,
  CallExpression,
  ChainExpression,
  Expression,
  Property,
  ObjectExpression,
} from "./expression.ts";
import { propertyKey } from "./literal.ts";
import { LINE_WIDTH, textWidth } from "./text-width.ts";

const STEP = 2;
/** Keys shorter than this keep a long string on their own line: a break would win too little. */
const SHORT_KEY = 5;

/** Where an expression stands: indentation of its line, column at which it begins, columns that follow its end. */
interface Position {
  readonly indent: number;
  readonly column: number;
  readonly after: number;
}

/** A computed key comes in brackets already. */
const printedKey = (name: string): string => (name.startsWith("[") ? name : propertyKey(name));

const memberText = ([name, value]: Property): string => `${printedKey(name)}: ${flat(value)}`;

const flat = (expression: Expression): string => {
  switch (expression.kind) {
    case "code":
      return expression.text;
    case "object":
      return expression.members.length === 0 ? "{}" : `{ ${expression.members.map(memberText).join(", ")} }`;
    case "array":
      return `[${expression.items.map(flat).join(", ")}]`;
    case "call":
      return `${expression.callee}(${expression.arguments.map(flat).join(", ")})`;
    case "chain":
      return [expression.subject, ...expression.calls].map(flat).join(".");
  }
};

const isList = (kind: "object" | "array", expression: Expression): boolean =>
  expression.kind === kind && (expression.kind === "object" ? expression.members.length : listed(expression)) > 1;

const listed = (expression: Expression): number => (expression.kind === "array" ? expression.items.length : 0);

/** A list of records, or of lists, stands one a line even where it would fit. */
const isMatrix = ({ items }: ArrayExpression): boolean =>
  items.length > 1 && (items.every((item) => isList("object", item)) || items.every((item) => isList("array", item)));

const mustBreak = (expression: Expression): boolean => {
  switch (expression.kind) {
    case "code":
      return false;
    case "object":
      return expression.expanded === true || expression.members.some(([, value]) => mustBreak(value));
    case "array":
      return isMatrix(expression) || expression.items.some(mustBreak);
    case "call":
      return expression.arguments.some(mustBreak);
    case "chain":
      return isStacked(expression) || [expression.subject, ...expression.calls].some(mustBreak);
  }
};

/** Whether an argument is so simple that it may stand in a chain of several calls on one line. */
const isSimple = (expression: Expression, depth = 0): boolean => {
  const isSimpleWithin = (part: Expression): boolean => isSimple(part, depth + 1);
  if (depth >= 2) return false;
  switch (expression.kind) {
    case "code":
      return true;
    case "object":
      return expression.members.every(([, value]) => isSimpleWithin(value));
    case "array":
      return expression.items.every(isSimpleWithin);
    case "call":
      return expression.arguments.every(isSimpleWithin);
    case "chain":
      return [expression.subject, ...expression.calls].every((part) => isSimple(part, depth));
  }
};

/** A chain stands one call a line when it has more than two and not all are simple, also where it would fit. */
const isStacked = ({ subject, calls }: ChainExpression): boolean => {
  const all = subject.kind === "call" ? [subject, ...calls] : calls;
  return calls.length > 1 && all.length > 2 && !all.every((each) => each.arguments.every((one) => isSimple(one)));
};

const isNumbers = ({ items }: ArrayExpression): boolean =>
  items.length > 1 && items.every((item) => item.kind === "code" && item.literal === "number");

const lines = (open: string, parts: readonly string[], close: string, indent: number): string => {
  const margin = " ".repeat(indent + STEP);
  return `${open}\n${parts.map((part) => `${margin}${part},\n`).join("")}${" ".repeat(indent)}${close}`;
};

/** `key: value`, as a line of its own that a comma follows. */
const printMember = ([name, value]: Property, indent: number): string => {
  const key = printedKey(name);
  const column = indent + textWidth(key) + 2;
  const isLongString =
    value.kind === "code" &&
    value.literal === "string" &&
    textWidth(key) >= SHORT_KEY &&
    column + textWidth(value.text) + 1 > LINE_WIDTH;
  return isLongString
    ? `${key}:\n${" ".repeat(indent + STEP)}${value.text}`
    : `${key}: ${print(value, { indent, column, after: 1 })}`;
};

const printObject = ({ members }: ObjectExpression, indent: number): string =>
  lines(
    "{",
    members.map((member) => printMember(member, indent + STEP)),
    "}",
    indent,
  );

/** Numbers fill their lines; a line may end with its comma in the last column. */
const filled = (items: readonly string[], indent: number): string[] => {
  const rows: string[] = [];
  for (const item of items) {
    const row = rows.at(-1);
    if (row !== undefined && indent + row.length + item.length + 3 <= LINE_WIDTH)
      rows[rows.length - 1] = `${row}, ${item}`;
    else rows.push(item);
  }
  return rows;
};

const printItem = (item: Expression, indent: number): string =>
  print(item, { indent: indent + STEP, column: indent + STEP, after: 1 });

const printArray = (array: ArrayExpression, indent: number): string =>
  isNumbers(array)
    ? lines("[", filled(array.items.map(flat), indent + STEP), "]", indent)
    : lines(
        "[",
        array.items.map((item) => printItem(item, indent)),
        "]",
        indent,
      );

const isHuggable = (last: Expression | undefined): last is ObjectExpression | ArrayExpression =>
  (last?.kind === "object" && last.members.length > 0) || (last?.kind === "array" && last.items.length > 0);

/** Only the last argument breaks, when it is a list and what stands before it fits: `string({`, line by line, `})`. */
const printCall = ({ callee, arguments: args }: CallExpression, { indent, column }: Position): string => {
  const last = args.at(-1);
  const others = args.slice(0, -1);
  const head = `${callee}(${others.map((other) => `${flat(other)}, `).join("")}`;
  const sameKindBefore = others.at(-1)?.kind === last?.kind;
  if (isHuggable(last) && !sameKindBefore && !others.some(mustBreak) && column + textWidth(head) + 1 <= LINE_WIDTH) {
    return `${head}${last.kind === "object" ? printObject(last, indent) : printArray(last, indent)})`;
  }
  return lines(
    `${callee}(`,
    args.map((argument) => printItem(argument, indent)),
    ")",
    indent,
  );
};

/** Only the last call breaks where that is enough; otherwise each stands on a line of its own. */
const printChain = (chain: ChainExpression, position: Position): string => {
  const { subject, calls } = chain;
  const { indent } = position;
  const [last] = calls.slice(-1);
  const before = [subject, ...calls.slice(0, -1)];
  const head = before.map(flat).join(".");
  if (last && !isStacked(chain) && !before.some(mustBreak) && (calls.length === 1 || mustBreak(last))) {
    return printCall({ ...last, callee: `${head}.${last.callee}` }, position);
  }
  const margin = indent + STEP;
  const rows = calls.map((each) =>
    print({ ...each, callee: `.${each.callee}` }, { indent: margin, column: margin, after: 0 }),
  );
  return [print(subject, position), ...rows].join(`\n${" ".repeat(margin)}`);
};

const isEmpty = (expression: Expression): boolean =>
  (expression.kind === "object" && expression.members.length === 0) ||
  (expression.kind === "array" && expression.items.length === 0) ||
  (expression.kind === "call" && expression.arguments.length === 0);

const print = (expression: Expression, position: Position): string => {
  if (expression.kind === "code" || isEmpty(expression)) return flat(expression);
  if (!mustBreak(expression)) {
    const line = flat(expression);
    if (position.column + textWidth(line) + position.after <= LINE_WIDTH) return line;
  }
  switch (expression.kind) {
    case "object":
      return printObject(expression, position.indent);
    case "array":
      return printArray(expression, position.indent);
    case "call":
      return printCall(expression, position);
    case "chain":
      return printChain(expression, position);
  }
};

/** `name: value,` for an object whose members stand at `indent`; without the indentation of the first line. */
export const memberLine = (member: Property, indent: number): string => `${printMember(member, indent)},`;

/** An expression that begins at `column` of a line indented by `indent`, and that `after` columns follow. */
export const printExpression = print;
