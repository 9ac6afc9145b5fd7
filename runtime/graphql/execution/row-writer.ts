/** Composes what writes rows, and what is populated in them, as a selection shows them. */
import { type FieldNode, getNullableType, type GraphQLOutputType, isAbstractType, isLeafType } from "graphql";
import {
  type ColumnPlan,
  componentEntries,
  type ComponentPlan,
  type EntryLevel,
  type MemberPlan,
  type MorphPlan,
  morphRows,
  relatedRows,
  type RelationPlan,
  type RowLevel,
  type RowSet,
  storedIn,
  zoneEntries,
  type ZonePlan,
} from "../../query/index.ts";
import type { Node } from "../node.ts";
import { populatedKey } from "../schema/read.ts";
import { readyType } from "../schema/ready.ts";
import { columnText, entryText, isUnchanged } from "./leaf.ts";
import { certain, NotReady, objectTypeOf, objectWriter, type Shown, type WriteContext } from "./object-writer.ts";
import { plural } from "./plural.ts";
import type { Write } from "./run.ts";

/** What a field needs to know of the object around it. */
interface Around {
  readonly members: readonly MemberPlan[];
  /** What stands in the row for a member, or in the component. */
  stored(set: RowSet, member: MemberPlan, row: Parameters<Write>[2], value: unknown): unknown;
}

const inRow: Around["stored"] = (set, member, row) => storedIn(set, member, row);
const inEntry: Around["stored"] = (_set, { name }, _row, value) => Object(value)[name];

/** How rows of a level are written as one object type. */
export const rowWriter = (context: WriteContext, type: GraphQLOutputType, nodes: FieldNode[], level: RowLevel): Write =>
  objectWriter(context, objectTypeOf(type), nodes, (shown) => {
    const { field, source } = shown;
    switch (source.kind) {
      case "attribute":
        return columnWriter(
          field.type,
          level.columns.find(({ name }) => name === (source.name ?? field.name)),
        );
      case "documentId":
        return columnWriter(field.type, { name: "documentId", type: "string", index: level.documentIdIndex });
      case "row":
        return rowWriter(context, field.type, shown.nodes, level);
      case "populated":
        return populatedWriter(context, shown, { members: level.members, stored: inRow });
    }
  });

const columnWriter = (type: GraphQLOutputType, column: ColumnPlan | undefined): Write => {
  const leaf = getNullableType(type);
  if (!column || !isLeafType(leaf)) throw new NotReady();
  const { index } = column;
  const encode = columnText(leaf, column.type);
  const write: Write = (_run, _set, row) => encode(row[index] ?? null);
  return isUnchanged(leaf, column.type) ? certain(write) : write;
};

/** The same for entries of a component. */
const entryWriter = (context: WriteContext, type: GraphQLOutputType, nodes: FieldNode[], level: EntryLevel): Write =>
  objectWriter(context, objectTypeOf(type), nodes, (shown) => {
    const { field, source } = shown;
    if (source.kind === "populated")
      return populatedWriter(context, shown, { members: level.members, stored: inEntry });
    const leaf = getNullableType(field.type);
    const name = source.kind === "attribute" ? (source.name ?? field.name) : undefined;
    const scalar = level.scalars.find((each) => each.name === name);
    if (!scalar || !isLeafType(leaf)) throw new NotReady();
    const text = entryText(leaf, scalar.type);
    return (_run, _set, _row, value) => text(Object(value)[scalar.name]);
  });

const populatedWriter = (context: WriteContext, shown: Shown, { members, stored }: Around): Write => {
  const { field, source, key, nodes } = shown;
  const member = members.find(({ as }) => as === populatedKey(key));
  if (!member) throw new NotReady();
  const wrapper = source.kind === "populated" ? source.wrapper : undefined;
  const write = wrapper
    ? wrapperWriter(context, field.type, nodes, wrapper, (type, inner) => memberWriter(context, type, inner, member))
    : memberWriter(context, field.type, nodes, member);
  return (run, set, row, value) => write(run, set, row, stored(set, member, row, value));
};

/** An object of which one member leads on to what is read. */
const wrapperWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  name: string,
  write: (type: GraphQLOutputType, nodes: FieldNode[]) => Write,
): Write =>
  objectWriter(context, objectTypeOf(type), nodes, ({ field, nodes: inner }) => {
    if (field.name !== name) throw new NotReady();
    return write(field.type, inner);
  });

const memberWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  member: MemberPlan,
): Write => {
  switch (member.kind) {
    case "lookup":
    case "join":
      return relationWriter(context, type, nodes, member);
    case "morph":
      return morphWriter(context, type, nodes, member);
    case "component":
      return componentWriter(context, type, nodes, member);
    case "zone":
      return zoneWriter(context, type, nodes, member);
  }
};

const relationWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  member: RelationPlan,
): Write => {
  interface Place {
    readonly set: RowSet;
    readonly position: number;
  }
  const write = plural<Place>(type, nodes, (itemType) => {
    const writeRow = rowWriter(context, itemType, nodes, member.target);
    return (run, { set, position }) => run.once(writeRow, set, position);
  });
  return (run, set, row, value) => {
    const related = relatedRows(set, member, value, row);
    return write(run, related?.positions.map((position) => ({ set: related.set, position })) ?? []);
  };
};

/** How each of several types behind a union is written. */
const byType = <Level extends RowLevel | EntryLevel>(
  context: WriteContext,
  type: GraphQLOutputType,
  levels: readonly Level[],
  entryOf: (level: Level) => Node,
  write: (type: GraphQLOutputType, level: Level) => Write,
): ReadonlyMap<unknown, Write> => {
  const nameOf = isAbstractType(type) ? readyType(type) : undefined;
  if (!isAbstractType(type) || !nameOf) throw new NotReady();
  const possible = context.schema.getPossibleTypes(type);
  return new Map(
    levels.map((level) => {
      const found = possible.find(({ name }) => name === nameOf(entryOf(level)));
      if (!found) throw new NotReady();
      return [level, write(found, level)];
    }),
  );
};

const morphWriter = (context: WriteContext, type: GraphQLOutputType, nodes: FieldNode[], member: MorphPlan): Write => {
  const levels = [...member.groups.values()].map(({ target }) => target);
  const write = plural<ReturnType<typeof morphRows>[number]>(type, nodes, (itemType) => {
    const writers = byType(
      context,
      itemType,
      levels,
      ({ uid }) => ({ __type: uid }),
      (each, level) => rowWriter(context, each, nodes, level),
    );
    return (run, { set, position }) =>
      writers.get(set.level)?.(run, set, set.rows[position] ?? [], undefined) ?? "null";
  });
  return (run, set, row, value) => write(run, morphRows(set, member, value, row));
};

/** An entry, and the row that it stands in. */
interface EntryPlace {
  readonly set: RowSet;
  readonly row: Parameters<Write>[2];
  readonly entry: unknown;
  readonly level: EntryLevel;
}

const componentWriter = (
  context: WriteContext,
  type: GraphQLOutputType,
  nodes: FieldNode[],
  member: ComponentPlan,
): Write => {
  const { level } = member;
  const write = plural<EntryPlace>(type, nodes, (itemType) => {
    const writeEntry = entryWriter(context, itemType, nodes, level);
    return (run, { set, row, entry }) => writeEntry(run, set, row, entry);
  });
  return (run, set, row, value) =>
    write(
      run,
      componentEntries(member, value, row).map((entry) => ({ set, row, entry, level })),
    );
};

const zoneWriter = (context: WriteContext, type: GraphQLOutputType, nodes: FieldNode[], member: ZonePlan): Write => {
  const write = plural<EntryPlace>(type, nodes, (itemType) => {
    const writers = byType(
      context,
      itemType,
      [...member.levels.values()],
      ({ uid }) => ({ __component: uid }),
      (each, level) => entryWriter(context, each, nodes, level),
    );
    return (run, { set, row, entry, level }) => writers.get(level)?.(run, set, row, entry) ?? "null";
  });
  return (run, set, row, value) =>
    write(
      run,
      zoneEntries(member, value, row).map(({ entry, level }) => ({ set, row, entry, level })),
    );
};
