/** Takes the data of a body apart: plain values, links to documents and files, components. */
import { isRecord } from "../../base/is-record.ts";
import type { Attribute, ComponentUid, Field } from "../../schema/content-type.ts";
import type { Owner } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { readRelation, type RelationChange } from "./relation-value.ts";

/** The data of a document or of a component's entry. What the body does not name is in none of the maps. */
export interface ParsedItem {
  /** The entry that is meant, as the body has it. */
  readonly id?: unknown;
  /** The kind of entry of a dynamic zone. */
  readonly component?: ComponentUid;
  readonly scalars: ReadonlyMap<string, unknown>;
  readonly links: ReadonlyMap<string, RelationChange>;
  /** A single component is a list of at most one. */
  readonly components: ReadonlyMap<string, readonly ParsedItem[]>;
}

export interface Parsed {
  readonly item: ParsedItem;
  /** The data with every relation in its long form, as error details show it. */
  readonly shown: Readonly<Record<string, unknown>>;
}

export const isComponentUid = (uid: string): uid is ComponentUid => uid.includes(".");

/** The uid that an entry of a zone names, where that component exists. */
export const componentUid = (services: WriteServices, entry: unknown): ComponentUid | undefined => {
  const uid = isRecord(entry) ? entry["__component"] : undefined;
  if (typeof uid !== "string" || !isComponentUid(uid)) return undefined;
  return Object.hasOwn(services.registry.components, uid) ? uid : undefined;
};

/** `data` has to be valid as far as its components go. */
export const parseData = (
  services: WriteServices,
  owner: Owner,
  data: Readonly<Record<string, unknown>>,
  component?: ComponentUid,
): Parsed => {
  const scalars = new Map<string, unknown>();
  const links = new Map<string, RelationChange>();
  const components = new Map<string, readonly ParsedItem[]>();
  const shown: Record<string, unknown> = { ...data };
  for (const [name, attribute] of Object.entries(owner.attributes)) {
    if (!Object.hasOwn(data, name)) continue;
    const value = data[name];
    switch (attribute.type) {
      case "relation":
      case "media": {
        const change = readRelation(value);
        if (change === undefined || isNothing(attribute, value)) break;
        links.set(name, change);
        shown[name] = change.shown;
        break;
      }
      case "component": {
        const { component: uid } = attribute;
        const parsed = entries(value).map((entry) => parseData(services, services.registry.component(uid), entry));
        components.set(
          name,
          parsed.map(({ item }) => item),
        );
        shown[name] = Array.isArray(value) ? parsed.map((each) => each.shown) : (parsed[0]?.shown ?? value);
        break;
      }
      case "dynamiczone": {
        const parsed = entries(value).flatMap((entry) => {
          const uid = componentUid(services, entry);
          return uid === undefined ? [] : [parseData(services, services.registry.component(uid), entry, uid)];
        });
        components.set(
          name,
          parsed.map(({ item }) => item),
        );
        if (parsed.length > 0) shown[name] = parsed.map((each) => each.shown);
        break;
      }
      default:
        scalars.set(name, value);
    }
  }
  const item: ParsedItem = {
    ...(data["id"] === undefined ? {} : { id: data["id"] }),
    ...(component === undefined ? {} : { component }),
    scalars,
    links,
    components,
  };
  return { item, shown };
};

/** An empty list leaves links to documents of any type as they are; `{ "set": [] }` clears them. */
const isNothing = (attribute: Attribute | Field, value: unknown): boolean =>
  attribute.type === "relation" && attribute.relation === "morphToMany" && Array.isArray(value) && value.length === 0;

const entries = (value: unknown): readonly Record<string, unknown>[] =>
  (Array.isArray(value) ? value : [value]).filter(isRecord);
