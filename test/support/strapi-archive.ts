/** Writes small exports as Strapi writes them. */
import { createCipheriv, scryptSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Data = Readonly<Record<string, Json>>;

export interface Exported {
  readonly version?: string;
  readonly schemas: readonly Data[];
  readonly entities: readonly (readonly [type: string, id: number, data: Data])[];
  readonly links: readonly Data[];
  readonly uploads?: Readonly<Record<string, Uint8Array>>;
  readonly configuration?: readonly Data[];
}

const lines = (records: readonly Data[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** A link from the side that stores it. */
export const link = (
  relation: string,
  [leftType, leftRef, leftField, leftPos]: readonly [string, number, string, number?],
  [rightType, rightRef, rightField, rightPos]: readonly [string, number, (string | undefined)?, number?],
): Data => ({
  kind: relation.startsWith("morph") ? "relation.morph" : "relation.basic",
  relation,
  left: { type: leftType, ref: leftRef, field: leftField, ...(leftPos === undefined ? {} : { pos: leftPos }) },
  right: {
    type: rightType,
    ref: rightRef,
    ...(rightField === undefined ? {} : { field: rightField }),
    ...(rightPos === undefined ? {} : { pos: rightPos }),
  },
});

/** The archive before it is packed and encrypted. */
export const tarOf = async ({
  version = "5.54.0",
  schemas,
  entities,
  links,
  uploads = {},
  configuration = [],
}: Exported): Promise<Buffer> => {
  const archive = pack();
  archive.entry({ name: "schemas/schemas_00001.jsonl" }, lines(schemas));
  const rows = entities.map(([type, id, data]) => ({ type, id, data }));
  archive.entry({ name: "entities/entities_00001.jsonl" }, lines(rows));
  for (const [name, bytes] of Object.entries(uploads)) {
    archive.entry({ name: `assets/metadata/${name}.json` }, JSON.stringify({ name }));
    archive.entry({ name: `assets/uploads/${name}` }, bytes);
  }
  archive.entry({ name: "links/links_00001.jsonl" }, lines(links));
  archive.entry({ name: "configuration/configuration_00001.jsonl" }, lines(configuration));
  archive.entry(
    { name: "metadata.json" },
    JSON.stringify({ createdAt: "2025-01-01T00:00:00.000Z", strapi: { version } }),
  );
  archive.finalize();
  return buffer(archive);
};

export const encrypted = (bytes: Uint8Array, key: string): Buffer => {
  const cipher = createCipheriv("aes-128-ecb", scryptSync(key, "", 16), null);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
};

export const writeArchive = async (file: string, exported: Exported): Promise<void> =>
  writeFileSync(file, gzipSync(await tarOf(exported)));
