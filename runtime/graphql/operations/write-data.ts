/** Turns the input of a mutation into data for the document service. */
import type { Caller } from "../../access/caller.ts";
import type { Member, Schema } from "../../query/index.ts";
import type { ComponentUid, Uid } from "../../schema/content-type.ts";

export type Data = Readonly<Record<string, unknown>>;

/** Members that the server sets itself. Clients may send them; they are ignored. */
const SYSTEM = new Set(["createdAt", "updatedAt"]);

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

/** Drops what the server sets, and relations to targets that the caller may not find: those stay unchanged. */
export const writableData = (schema: Schema, uid: Uid | ComponentUid, input: unknown, caller: Caller): Data => {
  const { members, type } = schema.owner(uid);
  return Object.fromEntries(
    Object.entries(isData(input) ? input : {}).flatMap(([name, value]) => {
      const member = members.get(name);
      if (SYSTEM.has(name) && (type || !member)) return [];
      const isFound = member?.kind !== "relation" || member.media || member.target === undefined;
      if (!isFound && !caller.can(`${member.target}.find`)) return [];
      const entry = (each: unknown): unknown => {
        const component = isData(each) ? componentOf(member, each) : undefined;
        return component === undefined ? each : writableData(schema, component, each, caller);
      };
      return [[name, Array.isArray(value) ? value.map(entry) : entry(value)]];
    }),
  );
};

/** The component of an entry of a component or zone; undefined for the values of other members. */
const componentOf = (member: Member | undefined, { __component: given }: Data): ComponentUid | undefined => {
  if (member?.kind === "component") return member.component;
  return member?.kind === "zone" ? member.components.find((each) => each === given) : undefined;
};
