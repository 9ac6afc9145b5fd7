import type { Config } from "../../config/config.ts";
/**
 * Turns rows into REST responses and into objects for code: composes the writers of levels, for every kind of output.
 */
import type { ScalarType } from "../../schema/content-type.ts";
import type { ColumnPlan, EntryLevel, MemberPlan, RowLevel } from "../plan/plan.ts";
import { type Entry, morphRows, storedIn } from "../rows/follow.ts";
import type { RowSet } from "../rows/row-set.ts";
import { AnswerSize } from "./answer-size.ts";
import { objectOutput } from "./decode.ts";
import { jsonOutput, listText, Writing } from "./json-text.ts";
import { memberWriter } from "./members.ts";
import type { Field, Output, Write } from "./output.ts";

/**
 * `flat`: as in version 5 of the wire format. `nested`: each row has an `attributes` object, and relations are wrapped
 * in `data`; below relations to any type everything is flat. `old`: nested, without the members that version 4 did not
 * have. `old-flat`: flat, without these members.
 */
export type Format = "flat" | "nested" | "old" | "old-flat";

const FLAT: Readonly<Record<Format, Format>> = {
  flat: "flat",
  nested: "flat",
  old: "old-flat",
  "old-flat": "old-flat",
};

const isNested = (format: Format): boolean => format === "nested" || format === "old";
const isOld = (format: Format): boolean => format === "old" || format === "old-flat";

/**
 * Whether version 4 had a member: its documents have no documentId, types without drafts no `publishedAt`, and files no
 * focal point.
 */
const isShown = (format: Format, { drafts, uid }: RowLevel, { name }: ColumnPlan): boolean =>
  !isOld(format) ||
  (name !== "documentId" &&
    (drafts || name !== "publishedAt") &&
    (uid !== "plugin::upload.file" || name !== "focalPoint"));

const IDENTITY: ReadonlySet<string> = new Set(["id", "documentId"]);

/** What documents are composed for. */
interface Composition<State, Out> {
  readonly output: Output<State, Out>;
  readonly format: Format;
  /** Names of the members that lead to the documents. */
  readonly path: string;
  /** Whether documents of types without locales show that they have none. */
  readonly nullLocale?: boolean;
}

/** Composes the writer of the rows of a level. */
export const documentWriter = <State, Out>(asked: Composition<State, Out>, level: RowLevel): Write<State, Out> => {
  const { output } = asked;
  const format = level.typed ? FLAT[asked.format] : asked.format;
  const composition = { ...asked, format };
  const columns = level.columns.filter((column) => isShown(format, level, column));
  const members = level.members.map((plan): Field<State, Out> => {
    const write = populatedWriter(composition, plan);
    const isEmpty = emptyMorph(format, plan);
    return {
      name: plan.as,
      write: (state, set, row) => write(state, set, row, storedIn(set, plan, row)),
      isOmitted: isEmpty && ((set, row) => isEmpty(set, row, storedIn(set, plan, row))),
    };
  });
  const identity = columns.filter(({ name }) => IDENTITY.has(name)).map((column) => columnField(output, column));
  const attributes = [
    ...columns.filter(({ name }) => !IDENTITY.has(name)).map((column) => columnField(output, column)),
    ...members,
    ...(level.typed ? [constant<State, Out, undefined>(output, "__type", level.uid)] : []),
    ...(asked.nullLocale && hasNoLocale(level) ? [constant<State, Out, undefined>(output, "locale", null)] : []),
  ];
  return output.object(
    isNested(format)
      ? [...identity, { name: "attributes", write: output.object(attributes) }]
      : [...identity, ...attributes],
  );
};

/** Whether a list of documents of any type is empty: version 4 omitted such lists. */
const emptyMorph = (format: Format, plan: MemberPlan): Field<never, never, unknown>["isOmitted"] =>
  isOld(format) && plan.kind === "morph" && plan.many && !plan.count
    ? (set, row, value) => morphRows(set, plan, value, row).length === 0
    : undefined;

/** Whether the rows are documents of a type without locales, and are shown as a whole. */
const hasNoLocale = ({ uid, localeIndex, columns }: RowLevel): boolean =>
  uid !== "plugin::upload.file" && localeIndex === undefined && columns.some(({ name }) => name === "updatedAt");

const columnField = <State, Out>(output: Output<State, Out>, { name, type, index }: ColumnPlan): Field<State, Out> => {
  const convert = output.column(type);
  return { name, write: (_state, _set, row) => convert(row[index] ?? null) };
};

const constant = <State, Out, Part>(
  output: Output<State, Out>,
  name: string,
  value: string | null,
): Field<State, Out, Part> => {
  const written = output.plain(value);
  return { name, write: () => written };
};

/** Composes the writer of entries of a component, which have their component's uid in a zone. */
const entryWriter = <State, Out>(
  composition: Composition<State, Out>,
  level: EntryLevel,
  isInZone: boolean,
): Write<State, Out, Entry> => {
  const { output } = composition;
  // Stored JSON may contain attributes that are no longer declared.
  const scalar = ({ name, type }: { readonly name: string; readonly type: ScalarType }): Field<State, Out, Entry> => ({
    name,
    write: (_state, _set, _row, entry) => output.scalar(type, entry[name]),
  });
  const member = (plan: MemberPlan): Field<State, Out, Entry> => {
    const write = populatedWriter(composition, plan);
    const isEmpty = emptyMorph(composition.format, plan);
    return {
      name: plan.as,
      write: (state, set, row, entry) => write(state, set, row, entry[plan.name]),
      isOmitted: isEmpty && ((set, row, entry) => isEmpty(set, row, entry[plan.name])),
    };
  };
  return output.object([
    ...(isInZone ? [constant<State, Out, Entry>(output, "__component", level.uid)] : []),
    ...level.scalars.map(scalar),
    ...level.members.map(member),
  ]);
};

const populatedWriter = <State, Out>(
  { output, format, path: parent }: Composition<State, Out>,
  member: MemberPlan,
): Write<State, Out, unknown> => {
  const path = parent === "" ? member.as : `${parent}.${member.as}`;
  const nullLocale = format === "flat" && member.kind === "join" && member.loose;
  const below = { output, format: member.kind === "morph" ? FLAT[format] : format, path, nullLocale };
  const write = memberWriter<State, Out>(member, {
    row: (level) => output.rows(documentWriter(below, level)),
    entry: (level) => entryWriter(below, level, member.kind === "zone"),
    items: (state, items, writeItem) => {
      if (member.count) return output.plain({ count: items.length });
      const [first] = items;
      const isList = isMany(member) && !(first === undefined && isNullWhenEmpty(member, format));
      if (isList) return output.list(state, path, items, writeItem);
      return first === undefined ? output.plain(null) : writeItem(first);
    },
  });
  return isNested(format) && isRelation(member) ? wrapped(output, member, write) : write;
};

const isRelation = ({ kind }: MemberPlan): boolean => kind === "lookup" || kind === "join";

const isMany = (member: MemberPlan): boolean => {
  switch (member.kind) {
    case "component":
      return member.repeatable;
    case "zone":
      return true;
    default:
      return member.many;
  }
};

const isNullWhenEmpty = (member: MemberPlan, format: Format): boolean =>
  "loose" in member && member.loose && isOld(format);

/** Relations of nested formats are inside `data`, and their counts inside `attributes` there. */
const wrapped = <State, Out>(
  output: Output<State, Out>,
  { count }: MemberPlan,
  write: Write<State, Out, unknown>,
): Write<State, Out, unknown> =>
  output.object([{ name: "data", write: count ? output.object([{ name: "attributes", write }]) : write }]);

/** A document as an object, with the members that the query shows. */
export type DocumentObject = Readonly<Record<string, unknown>>;

/** Caches the writer composed for a plan for as long as the plan exists. */
const perLevel = <Writer>(compose: (level: RowLevel) => Writer): ((level: RowLevel) => Writer) => {
  const writers = new WeakMap<RowLevel, Writer>();
  return (level) => {
    let writer = writers.get(level);
    if (writer === undefined) {
      writer = compose(level);
      writers.set(level, writer);
    }
    return writer;
  };
};

const textWriter = (format: Format) =>
  perLevel((level): Write<Writing, string> => documentWriter({ output: jsonOutput, format, path: "" }, level));

const textWriters: Readonly<Record<Format, ReturnType<typeof textWriter>>> = {
  flat: textWriter("flat"),
  nested: textWriter("nested"),
  old: textWriter("old"),
  "old-flat": textWriter("old-flat"),
};

const objectWriter = perLevel((level) => documentWriter({ output: objectOutput, format: "flat", path: "" }, level));

/** The format of responses that are flat in every version, such as users. */
export const bareFormat = ({ rest }: Pick<Config, "rest">): Format => (rest.format === "v4" ? "old-flat" : "flat");

/** Options for writing a response. */
interface JsonOptions {
  /** `flat` by default. */
  readonly format?: Format;
  /** The maximum length of the response; unlimited by default. */
  readonly size?: AnswerSize;
}

/**
 * Documents as the text of a JSON array.
 *
 * @throws AnswerTooLargeError when the text becomes longer than allowed
 */
export const jsonList = (documents: RowSet, { format = "flat", size = new AnswerSize() }: JsonOptions = {}): string => {
  const write = textWriters[format](documents.level);
  const writing = new Writing(size);
  return listText(size, "", documents.rows, (row) => write(writing, documents, row, undefined));
};

/**
 * The first document as JSON text.
 *
 * @throws AnswerTooLargeError when the text becomes longer than allowed
 */
export const jsonOf = (documents: RowSet, { format = "flat", size = new AnswerSize() }: JsonOptions = {}): string => {
  const text = textWriters[format](documents.level)(new Writing(size), documents, documents.rows[0] ?? [], undefined);
  size.check(text.length, "");
  return text;
};

/** Documents as objects. */
export const objectsOf = (documents: RowSet): DocumentObject[] => {
  const write = objectWriter(documents.level);
  return documents.rows.map((row) => Object(write(undefined, documents, row, undefined)));
};

/** The first of the documents as an object. */
export const objectOf = (documents: RowSet): DocumentObject =>
  Object(objectWriter(documents.level)(undefined, documents, documents.rows[0] ?? [], undefined));
