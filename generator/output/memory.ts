/**
 * What earlier runs on this machine made, and of which inputs, in one file of `.cms/cache`. It has hashes: texts are in
 * the output folder, and count for as long as they are as they were made. So a run makes again what its inputs, a hand or
 * a lost cache have changed, and takes the rest as it is.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { writeCacheFile } from "../../runtime/base/private-folder.ts";
import type { LocatedDiagnostic } from "../diagnostics/positions.ts";
import { digestOf } from "../rendered/digest.ts";
import { hashOf, type OutputFile } from "./manifest.ts";
import { readText } from "./plan.ts";

type Hashes = Readonly<Record<string, string>>;

interface Entry {
  /** The digest of everything that it was made from. */
  readonly inputs: string;
  /** Of files below the output folder, by path. */
  readonly files: Hashes;
  /** Of the project's own code that was run for it, by path relative to the root. */
  readonly own: Hashes;
  /** What was warned of. */
  readonly diagnostics?: readonly LocatedDiagnostic[] | undefined;
}

export interface Result extends Pick<Entry, "diagnostics"> {
  readonly files: readonly OutputFile[];
  /** The project's own code that was run, by path relative to the root. */
  readonly own?: readonly OutputFile[];
}

type Entries = Record<string, Entry>;

const cacheFile = (root: string): string => path.join(root, ".cms", "cache", "made");

/** The digest before the text vouches for its form: a file that was cut short, or edited, has nothing. */
const readEntries = (root: string): Entries => {
  try {
    const [digest, text = ""] = readFileSync(cacheFile(root), "utf8").split("\n");
    return digest === digestOf([text]) ? JSON.parse(text) : {};
  } catch {
    return {};
  }
};

const hashesOf = (files: readonly OutputFile[]): Hashes =>
  Object.fromEntries(files.map(({ path: file, text }) => [file, hashOf(text)]));

/** The files below a folder, with the line ends that they are generated with; undefined where one is not as it was. */
const readSame = (folder: string, hashes: Hashes): readonly OutputFile[] | undefined => {
  const files: OutputFile[] = [];
  for (const [file, hash] of Object.entries(hashes)) {
    const text = readText(path.join(folder, file))?.replaceAll("\r\n", "\n");
    if (text === undefined || hashOf(text) !== hash) return undefined;
    files.push({ path: file, text });
  }
  return files;
};

export class Memory {
  readonly #root: string;
  readonly #folder: string;
  readonly #before: Entries;
  readonly #now: Entries = {};

  /**
   * @param folder the output folder, absolute
   * @param anew whether nothing is taken from earlier runs
   */
  constructor(root: string, folder: string, anew = false) {
    this.#root = root;
    this.#folder = folder;
    this.#before = anew ? {} : readEntries(root);
  }

  /** What was made of exactly these inputs, and is still there; undefined where it has to be made. */
  recall(name: string, inputs: string): Result | undefined {
    const entry = this.#before[name];
    if (entry?.inputs !== inputs) return undefined;
    const own = readSame(this.#root, entry.own);
    const files = readSame(this.#folder, entry.files);
    if (own === undefined || files === undefined) return undefined;
    this.#now[name] = entry;
    return { files, own, diagnostics: entry.diagnostics };
  }

  remember(name: string, inputs: string, { files, own = [], diagnostics }: Result): void {
    this.#now[name] = { inputs, files: hashesOf(files), own: hashesOf(own), diagnostics };
  }

  /** Of what this run has asked for nothing is lost; what it has not asked for is no part of the project any more. */
  save(): void {
    const text = JSON.stringify(this.#now);
    writeCacheFile(cacheFile(this.#root), `${digestOf([text])}\n${text}`);
  }
}
