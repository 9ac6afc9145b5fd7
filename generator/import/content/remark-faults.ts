/**
 * Reports what the generated validators refuse in a version. It is imported all the same: the source has it, and
 * leaving it out would lose content.
 */
import { attributesOf } from "../../../runtime/documents/attributes.ts";
import { checkVersion } from "../../../runtime/documents/body/check-version.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { pathText } from "../../../runtime/schema/validation/print.ts";
import type { Building } from "./build-value.ts";

/** Whether the other side stores the attribute, so that its validator does not see it. */
const isElsewhere = (type: ContentType, name: string | undefined): boolean =>
  attributesOf(type).some(([each, attribute]) => each === name && "mappedBy" in attribute);

/** Validates a version's values as a request body that publishes them or, for a draft, writes them. */
export const remarkFaults = (
  { registry, strictRelations, isPublished, remark }: Building,
  type: ContentType,
  values: readonly (readonly [name: string, value: unknown])[],
): void => {
  const version = Object.fromEntries(values.filter(([, value]) => value !== null && value !== undefined));
  const services = { registry, config: { documents: { strictRelations } } };
  for (const { path, message, value } of checkVersion({ services, type }, version, { isDraft: !isPublished })) {
    if (isElsewhere(type, path[0])) continue;
    const at = pathText(path.map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment)));
    remark(at, "kept", `is not valid here: ${message.replace(`${at} `, "")}`, value);
  }
};
