/**
 * Prints the speed and memory of `cms import` for a big archive: documents with a draft and a published version,
 * relations, components and page-long texts. `npm run import-speed -- [--documents 100000]`. Linux only, as it reads
 * /proc. Run `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createArchive } from "../generator/export/archive-writer.ts";
import { createLineFiles, type LineFiles } from "../generator/export/line-files.ts";
import { startEmbedded } from "../test/support/embedded-postgres.ts";
import { cpuOf } from "./bench/cpu.ts";
import { peakOf } from "./process-memory.ts";

const { values } = parseArgs({ options: { documents: { type: "string", default: "100000" } } });
const documents = Number(values.documents);
const AUTHORS = 1000;
const CATEGORIES = 500;
const LINKS = 3;

const repository = path.resolve(import.meta.dirname, "..");
const program = path.join(repository, "dist", "generator", "cli.js");
const root = mkdtempSync(path.join(tmpdir(), "galley-import-speed-"));
const archiveFile = path.join(root, "big.tar.gz");
const AT = "2025-01-01T00:00:00.000Z";
const dates = { createdAt: AT, updatedAt: AT };
const ARTICLE = "api::article.article";

const idOf = (letter: string, number: number): string => letter + String(number).padStart(23, "0");

const addTargets = async (lines: LineFiles, type: string, letter: string, count: number): Promise<void> => {
  for (let id = 1; id <= count; id++) {
    const data = { documentId: idOf(letter, id), name: `${letter} ${id}`, ...dates, publishedAt: AT, locale: null };
    await lines.add("entities", JSON.stringify({ type, id, data }));
  }
};

const addVersion = async (lines: LineFiles, id: number): Promise<void> => {
  const number = Math.ceil(id / 2);
  const data = {
    documentId: idOf("d", number),
    title: `Article ${number}`,
    slug: `article-${number}`,
    summary: "Lorem ipsum ".repeat(20),
    body: [{ type: "paragraph", children: [{ type: "text", text: "Text of the body. ".repeat(60) }] }],
    views: number,
    ...dates,
    publishedAt: id % 2 === 0 ? AT : null,
    locale: "en",
    sections: [{ __component: "blocks.quote", id, text: "Quoted" }],
  };
  await lines.add("entities", JSON.stringify({ type: ARTICLE, id, data }));
  const link = (field: string, relation: string, target: string, ref: number, pos?: number): Promise<void> =>
    lines.add(
      "links",
      JSON.stringify({
        kind: "relation.basic",
        relation,
        left: { type: ARTICLE, field, ref: id, ...(pos === undefined ? {} : { pos }) },
        right: { type: target, ref, ...(pos === undefined ? {} : { field: "articles", pos: id }) },
      }),
    );
  await link("author", "manyToOne", "api::author.author", (id % AUTHORS) + 1);
  for (let place = 1; place <= LINKS; place++) {
    await link("categories", "manyToMany", "api::category.category", ((id * 7 + place * 13) % CATEGORIES) + 1, place);
  }
};

const writeArchive = async (): Promise<void> => {
  const archive = createArchive({ location: archiveFile, key: undefined, modified: new Date(AT) });
  const schema = {
    uid: ARTICLE,
    options: { draftAndPublish: true },
    attributes: { sections: { type: "dynamiczone" } },
  };
  await archive.text("schemas/schemas_00001.jsonl", `${JSON.stringify(schema)}\n`);
  const lines = createLineFiles(archive);
  await addTargets(lines, "api::author.author", "a", AUTHORS);
  await addTargets(lines, "api::category.category", "c", CATEGORIES);
  for (let id = 1; id <= 2 * documents; id++) await addVersion(lines, id);
  await lines.end();
  await archive.text("metadata.json", JSON.stringify({ createdAt: AT, strapi: { version: "5.54.0" } }));
  await archive.finish();
};

const postgres = await startEmbedded(["jit=off"]);
const env = { ...process.env, DATABASE_URL: postgres.url };
const cms = (...args: string[]): void => {
  execFileSync(process.execPath, [program, "--root", root, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
};

try {
  cpSync(path.join(import.meta.dirname, "bench", "content-types"), path.join(root, "content-types"), {
    recursive: true,
  });
  cms("generate");
  cms("migrate");
  await writeArchive();
  const begin = performance.now();
  const child = spawn(process.execPath, [program, "--root", root, "import", archiveFile], { env, stdio: "inherit" });
  const pid = child.pid ?? 0;
  const server = Number(readFileSync(path.join(postgres.data, "postmaster.pid"), "utf8").split("\n")[0]);
  const before = cpuOf(server);
  let [peak, cpu, serverCpu] = [0, 0, 0];
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(pid));
    cpu = Math.max(cpu, cpuOf(pid));
    serverCpu = Math.max(serverCpu, cpuOf(server) - before);
  }, 100);
  await once(child, "exit");
  clearInterval(timer);
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `${documents} documents, ${2 * documents} versions: ${seconds.toFixed(1)} s, ${Math.round(documents / seconds)} documents/s, ` +
      `${Math.round(peak)} MB at most, ${(cpu / 1e6).toFixed(1)} s of CPU in cms, ` +
      `${(serverCpu / 1e6).toFixed(1)} s in PostgreSQL`,
  );
} finally {
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
}
