import type { MediaKind } from "../../schema/content-type.ts";

const KINDS: readonly (readonly [string, MediaKind])[] = [
  ["image/", "images"],
  ["video/", "videos"],
  ["audio/", "audios"],
];

/** What `allowedTypes` of a media attribute calls files of a media type: whatever is no image, video or sound is a file. */
export const kindOf = (type: string): MediaKind => KINDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? "files";
