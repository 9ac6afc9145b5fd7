import type { MediaKind } from "../../schema/content-type.ts";

const KINDS: readonly (readonly [string, MediaKind])[] = [
  ["image/", "images"],
  ["video/", "videos"],
  ["audio/", "audios"],
];

/** The kind of a media type, as in `allowedTypes`: everything that is not an image, video or audio is a file. */
export const kindOf = (type: string): MediaKind => KINDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "files";
