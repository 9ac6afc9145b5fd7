/** Checks files that are attached against the `allowedTypes` of media attributes. */
import { ValidationError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { MediaKind } from "../../schema/content-type.ts";

const KINDS: readonly (readonly [string, MediaKind])[] = [
  ["image/", "images"],
  ["video/", "videos"],
  ["audio/", "audios"],
];

/** The kind of a media type, as in `allowedTypes`: everything but images, video and audio is a file. */
const kindOf = (type: string): MediaKind => KINDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "files";

/** A stored file: its id and media type. */
export interface StoredFile {
  readonly id: number;
  readonly mime: string;
}

/** The files that a body gives to one media attribute. */
export interface MediaUse {
  /** The path of the attribute in the body, such as `["sections", "0", "image"]`. */
  readonly path: readonly string[];
  readonly files: readonly StoredFile[];
  /** Undefined allows all. */
  readonly allowedTypes: readonly MediaKind[] | undefined;
}

/**
 * Checks that files have the kinds that their attributes allow, unless `media.enforceAllowedTypes` is off.
 *
 * @throws ValidationError listing each file of a wrong kind, with its path
 */
export const checkAllowedTypes = ({ media }: Pick<Config, "media">, uses: readonly MediaUse[]): void => {
  if (!media.enforceAllowedTypes) return;
  const errors = uses.flatMap(({ path, files, allowedTypes }) =>
    files
      .filter(({ mime }) => allowedTypes && !allowedTypes.includes(kindOf(mime)))
      .map(({ id }) => ({
        path,
        message: `${path.join(".")} takes ${allowedTypes?.join(", ")}, and file ${id} is none of them`,
        name: "ValidationError",
        value: id,
      })),
  );
  const [first] = errors;
  if (!first) return;
  throw new ValidationError(errors.length === 1 ? first.message : `${errors.length} errors occurred`, { errors });
};
