/** The rows that a statement may read. All code that reads rows of a type reads these, in place of its table. */
import { type SQL, sql } from "drizzle-orm";
import type { Uid } from "../../schema/content-type.ts";
import type { AnyStatus, Condition, Shape } from "../query.ts";
import type { Schema } from "../schema.ts";
import { conditionIn } from "./condition.ts";
import { Build, type Readable } from "./scope.ts";

const all = (): undefined => undefined;

/** The rows of a type that meet a condition; relations in the condition are followed among all rows. */
export const rowsMeeting = (schema: Schema, uid: Uid, status: AnyStatus, condition: Condition): SQL => {
  const scope = new Build(schema, all).rows(uid, status);
  return sql`select ${sql.identifier(scope.alias)}.* from ${scope.from} where ${conditionIn(scope, condition)}`;
};

/** A statement that reads only the rows which the schema permits. */
export const buildFor = (schema: Schema, { locale }: Pick<Shape, "locale">): Build => {
  const { rows } = schema;
  if (!rows) return new Build(schema, all, locale);
  const readable: Readable = (uid, status) => {
    const condition = rows.of(uid, status);
    return condition && rowsMeeting(rows.schema, uid, status, condition);
  };
  return new Build(schema, readable, locale);
};
