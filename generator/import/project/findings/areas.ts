/** Classifies a file of a Strapi project by its path. */
import type { FindingKind } from "./finding.ts";

export interface Area {
  readonly kind: FindingKind;
  /** The uid before the point: `api::article`, `plugin::maps` or `global::`. */
  readonly owner: string;
  /** The file name without its extension. */
  readonly name: string;
}

/** The name of a file; `index` alone would be meaningless. */
const bare = (file: string): string => {
  const [folder, name = ""] = ["", ...file.split("/")].slice(-2);
  const plain = name.replace(/\.[cm]?[jt]sx?$/, "");
  return plain === "index" ? `${folder}/${plain}` : plain;
};

const ownerOf = (file: string): string => {
  const [, folder, name] = /^src\/(api|extensions|plugins)\/([^/]+)\//.exec(file) ?? [];
  if (name === undefined) return "global::";
  return folder === "api" ? `api::${name}` : `plugin::${name}`;
};

/** In order: the first match classifies a file. */
const places: readonly (readonly [RegExp, FindingKind])[] = [
  [/^src\/admin\/|^src\/(?:plugins|extensions)\/[^/]+\/(?:admin\/|strapi-admin\.)/, "admin"],
  [/^src\/index\.\w+$/, "bootstrap"],
  [/\/content-types\/(?:.*\/)?lifecycles(?:\.\w+$|\/)/, "lifecycle"],
  [/\/controllers\//, "controller"],
  [/\/services\//, "service"],
  [/\/routes\//, "route"],
  // Strapi loads files directly in these folders, but not helpers below them.
  [/\/policies\/[^/]+$/, "policy"],
  [/\/middlewares\/(?:[^/]+|[^/]+\/index\.\w+)$/, "middleware"],
  [/^src\/plugins\/[^/]+\/server\/(?:src\/)?(?:register|bootstrap|destroy)\.\w+$/, "bootstrap"],
  [/^src\/extensions\//, "extension"],
  [/^src\/plugins\//, "plugin"],
  [/^database\/migrations\//, "database"],
  [/^src\/|^config\//, "module"],
];

/** The file's area; undefined for files that Strapi does not run. */
export const areaOf = (file: string): Area | undefined => {
  const found = places.find(([pattern]) => pattern.test(file));
  return found && { kind: found[1], owner: ownerOf(file), name: bare(file) };
};
