/** Checks files that are attached against the `allowedTypes` of media attributes. */
import { ValidationError } from "../../base/errors.ts";
import { numberOf, requiredText } from "../../database/column-values.ts";
import type { Session } from "../../database/database.ts";
import type { MediaKind } from "../../schema/content-type.ts";
import type { WriteServices } from "../context.ts";

const KINDS: readonly (readonly [string, MediaKind])[] = [
  ["image/", "images"],
  ["video/", "videos"],
  ["audio/", "audios"],
];

/** The kind of a media type, as in `allowedTypes`: everything but images, video and audio is a file. */
export const kindOf = (type: string): MediaKind => KINDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "files";

/** The files that a body gives to one media attribute. */
export interface MediaUse {
  /** The path of the attribute in the body, such as `["sections", "0", "image"]`. */
  readonly path: readonly string[];
  readonly fileIds: readonly number[];
  readonly allowedTypes?: readonly MediaKind[] | undefined;
}

/** The kind of each file by id; files that do not exist are absent. */
const kindsOf = async (session: Session, ids: readonly number[]): Promise<ReadonlyMap<number, MediaKind>> => {
  const rows = await session.rows(`select "id", "mime" from "files" where "id" = any($1::int[])`, [ids]);
  return new Map(rows.map(([id, mime]) => [numberOf(id), kindOf(requiredText(mime))]));
};

/**
 * Checks that files have the kinds that their attributes allow, with one statement for all. Does nothing when
 * `media.enforceAllowedTypes` is off. Ignores files that do not exist: the caller has to check that.
 *
 * @throws ValidationError listing each file of a wrong kind, with its path
 */
export const checkAllowedTypes = async (
  { config }: Pick<WriteServices, "config">,
  session: Session,
  uses: readonly MediaUse[],
): Promise<void> => {
  const limited = uses.filter(({ allowedTypes, fileIds }) => allowedTypes !== undefined && fileIds.length > 0);
  if (!config.media.enforceAllowedTypes || limited.length === 0) return;
  const kinds = await kindsOf(session, [...new Set(limited.flatMap(({ fileIds }) => fileIds))]);
  const errors = limited.flatMap(({ path, fileIds, allowedTypes = [] }) =>
    fileIds
      .filter((id) => {
        const kind = kinds.get(id);
        return kind !== undefined && !allowedTypes.includes(kind);
      })
      .map((id) => ({
        path,
        message: `${path.join(".")} takes ${allowedTypes.join(", ")}, and file ${id} is none of them`,
        name: "ValidationError",
        value: id,
      })),
  );
  const [first] = errors;
  if (!first) return;
  throw new ValidationError(errors.length === 1 ? first.message : `${errors.length} errors occurred`, { errors });
};
