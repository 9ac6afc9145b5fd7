/** The JSON lines of an archive: buffered until there are enough for a file. */
import type { ArchiveWriter } from "./archive-writer.ts";
import { localizationsLine } from "./link-lines.ts";

/** The approximate characters per file: it must fit in memory, because its length precedes it in the archive. */
const CHARACTERS = 4_000_000;

export interface LineFiles {
  /** Adds a line of JSON to a folder such as `entities`. */
  add(folder: string, line: string): Promise<void>;
  /** Adds a row, and its link to the other locales of its document. */
  addEntity(type: string, id: number, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Flushes the rest. */
  end(): Promise<void>;
}

interface Waiting {
  lines: string[];
  characters: number;
  files: number;
}

export const createLineFiles = (archive: ArchiveWriter): LineFiles => {
  const folders = new Map<string, Waiting>();
  const write = async (folder: string, waiting: Waiting): Promise<void> => {
    if (waiting.lines.length === 0) return;
    const text = `${waiting.lines.join("\n")}\n`;
    waiting.lines = [];
    waiting.characters = 0;
    waiting.files++;
    await archive.text(`${folder}/${folder}_${String(waiting.files).padStart(5, "0")}.jsonl`, text);
  };
  const add = async (folder: string, line: string): Promise<void> => {
    const waiting = folders.get(folder) ?? { lines: [], characters: 0, files: 0 };
    folders.set(folder, waiting);
    waiting.lines.push(line);
    waiting.characters += line.length;
    if (waiting.characters >= CHARACTERS) await write(folder, waiting);
  };
  return {
    add,
    async addEntity(type, id, data) {
      await add("entities", JSON.stringify({ type, id, data }));
      await add("links", localizationsLine(type, id, data["documentId"]));
    },
    async end() {
      for (const [folder, waiting] of folders) await write(folder, waiting);
    },
  };
};
