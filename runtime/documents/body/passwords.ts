import bcrypt from "bcrypt";
import type { Attribute, ComponentUid, Field } from "../../schema/content-type.ts";
import type { Owner } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import type { ParsedItem } from "./parse.ts";

/** The component that an entry of `attribute` is of. */
const componentOf = (attribute: Attribute | Field | undefined, entry: ParsedItem): ComponentUid | undefined =>
  attribute?.type === "component" ? attribute.component : entry.component;

/** The item with every password, also in components, replaced by its hash. */
export const hashPasswords = async (services: WriteServices, owner: Owner, item: ParsedItem): Promise<ParsedItem> => {
  const scalars = new Map(item.scalars);
  for (const [name, value] of item.scalars) {
    if (owner.attributes[name]?.type !== "password" || typeof value !== "string") continue;
    scalars.set(name, await bcrypt.hash(value, services.config.auth.passwords.rounds));
  }
  const components = new Map<string, readonly ParsedItem[]>();
  for (const [name, entries] of item.components) {
    const hashed = entries.map((entry) => {
      const uid = componentOf(owner.attributes[name], entry);
      return uid === undefined ? entry : hashPasswords(services, services.registry.component(uid), entry);
    });
    components.set(name, await Promise.all(hashed));
  }
  return { ...item, scalars, components };
};
