/** The rules of an extension for versions that change without a body of their own. */
import type { Session } from "../../database/database.ts";
import { type FieldError, validationError } from "../../schema/validation/check.ts";
import { checkVersion } from "../body/check-version.ts";
import type { Source } from "../context.ts";
import { type LinkKeys, loadLinks } from "../links/relations.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { entityOf, requiredNames } from "./version-values.ts";

const textOf = ({ path, message }: FieldError): string => `${path.join(".")} ${message}`;

/**
 * Validates a version that changes because another one is written, or because a file is uploaded into it. What the
 * version violated before remains allowed. Types whose validators are not extended need no check: the value has already
 * been validated.
 *
 * @param linksOf the new links that are not stored in the version's row, from those that it has
 * @throws ValidationError naming the locale of the version
 */
export const demandRules = async (
  session: Session,
  source: Pick<Source, "services" | "type">,
  before: LoadedVersion,
  { after, linksOf }: { readonly after: Version; readonly linksOf?: (stored: LinkKeys) => LinkKeys },
): Promise<void> => {
  const { services, type } = source;
  if (!services.registry.isExtended(type.uid)) return;
  const stored = await loadLinks(session, { ...source, ...before }, requiredNames(services, type));
  const faultsOf = (version: Version, links: LinkKeys): readonly FieldError[] =>
    checkVersion(source, entityOf(type, version, links), { isDraft: version.status === "draft" });
  const known = new Set(faultsOf(before, stored).map(textOf));
  const broken = faultsOf(after, linksOf?.(stored) ?? stored).filter((fault) => !known.has(textOf(fault)));
  if (broken.length === 0) return;
  const where = before.locale === null ? "" : ` (in the locale ${before.locale})`;
  const { bodyErrors } = services.config.limits;
  throw validationError(
    broken.slice(0, bodyErrors).map((fault) => ({ ...fault, message: `${fault.message}${where}` })),
  );
};
