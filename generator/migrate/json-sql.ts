/** SQL over JSON objects. Fields are names with the SQL of their JSON. */
import { literal } from "./sql.ts";

export type Fields = readonly (readonly [name: string, value: string])[];

export const indent = (text: string): string => text.replaceAll("\n", "\n  ");

/** JSON's own null has no fields and no items. */
export const guard = (value: string, changed: string): string =>
  changed === "null" ? "'null'::json" : `case when json_typeof(${value}) = 'null' then ${value} else ${changed} end`;

/** Whether there is a value, which neither SQL's null nor JSON's is. */
const isThere = (value: string): string => `coalesce(json_typeof(${value}), 'null') <> 'null'`;

/** The object with these fields at its end, in place of those of their names. */
export const withFields = (object: string, fields: Fields): string => {
  const added = fields.map(([name, value], index) => `(${literal(name)}, ${value}, ${1_000_000 + index})`);
  return (
    `(select json_object_agg(field.key, field.value order by field.position)\n  from (\n` +
    `    select * from json_each(${indent(indent(object))}) with ordinality as each_field (key, value, position)\n` +
    `    where key not in (${fields.map(([name]) => literal(name)).join(", ")})\n    union all\n` +
    `    values ${indent(indent(added.join(", ")))}\n  ) as field)`
  );
};

/** The entry of a component with these fields; a new one, where there is none and any of them has a value. */
export const entryWith = (entry: string | undefined, fields: Fields): string => {
  const members = fields.map(([name, value]) => `${literal(name)}, ${value}`).join(", ");
  const fresh =
    `case when ${fields.map(([, value]) => isThere(value)).join(" or ")}\n` +
    `  then json_build_object('id', nextval('component_ids'), ${members}) end`;
  return entry === undefined
    ? fresh
    : `case when ${isThere(entry)} then ${withFields(entry, fields)}\n  else ${indent(fresh)} end`;
};
