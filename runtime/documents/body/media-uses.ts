import type { ComponentUid } from "../../schema/content-type.ts";
import type { Owner } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { FILES, type Targets } from "../references.ts";
import type { MediaUse } from "./allowed-types.ts";
import type { ParsedItem } from "./parse.ts";

interface Body {
  readonly services: WriteServices;
  readonly targets: Targets;
}

/**
 * Every file that a body puts into a media attribute, also inside of components.
 *
 * @param owner the type or component that `item` belongs to
 * @param path where `item` stands in the body
 */
export function* mediaUses(
  body: Body,
  owner: Owner,
  item: ParsedItem,
  path: readonly string[] = [],
): Generator<MediaUse> {
  for (const [name, { set = [], connect }] of item.links) {
    const attribute = owner.attributes[name];
    if (attribute?.type !== "media") continue;
    const fileIds = [...set, ...connect].flatMap((reference) => body.targets.id(FILES, reference) ?? []);
    yield { path: [...path, name], fileIds, allowedTypes: attribute.allowedTypes };
  }
  for (const [name, entries] of item.components) {
    const attribute = owner.attributes[name];
    for (const [index, entry] of entries.entries()) {
      const uid: ComponentUid | undefined = attribute?.type === "component" ? attribute.component : entry.component;
      if (uid === undefined) continue;
      const isSingle = attribute?.type === "component" && attribute.repeatable !== true;
      const place = isSingle ? [...path, name] : [...path, name, String(index)];
      yield* mediaUses(body, body.services.registry.component(uid), entry, place);
    }
  }
}
