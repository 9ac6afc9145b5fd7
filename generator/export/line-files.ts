/** The JSON lines of an archive: buffered until there are enough for a file. */
import type { ArchiveWriter } from "./archive-writer.ts";
import { localizationsLine } from "./link-lines.ts";

/** The approximate characters per file: it must fit in memory, because its length precedes it in the archive. */
const CHARACTERS = 4_000_000;

export type LineFiles = ReturnType<typeof createLineFiles>;

interface Waiting {
  lines: string[];
  characters: number;
  files: number;
}

export const createLineFiles = (archive: ArchiveWriter) => {
  const folders = new Map<string, Waiting>();
  const write = async (folder: string, waiting: Waiting): Promise<void> => {
    if (waiting.lines.length === 0) return;
    const text = `${waiting.lines.join("\n")}\n`;
    waiting.lines = [];
    waiting.characters = 0;
    waiting.files++;
    await archive.text(`${folder}/${folder}_${String(waiting.files).padStart(5, "0")}.jsonl`, text);
  };
  /** Adds a line of JSON to a folder such as `entities`. */
  const add = async (folder: string, line: string): Promise<void> => {
    const waiting = folders.get(folder) ?? { lines: [], characters: 0, files: 0 };
    folders.set(folder, waiting);
    waiting.lines.push(line);
    waiting.characters += line.length;
    if (waiting.characters >= CHARACTERS) await write(folder, waiting);
  };
  return {
    add,
    /** Adds a row, and its link to the other locales of its document. */
    async addEntity(type: string, id: number, data: Readonly<Record<string, unknown>>): Promise<void> {
      await add("entities", JSON.stringify({ type, id, data }));
      await add("links", localizationsLine(type, id, data["documentId"]));
    },
    /** Flushes the rest. */
    async end(): Promise<void> {
      for (const [folder, waiting] of folders) await write(folder, waiting);
    },
  };
};
