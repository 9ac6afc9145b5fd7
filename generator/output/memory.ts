/**
 * What earlier runs on this machine generated, and from which inputs, in one file of `.cms/cache`. It stores hashes;
 * the texts are in the output folder, and count only while unchanged. So a run regenerates what changed inputs, edits
 * or a lost cache invalidated, and reuses the rest.
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
  /** The digest of all inputs. */
  readonly inputs: string;
  /** Hashes of files below the output folder, by path. */
  readonly files: Hashes;
  /** Hashes of the project code that was run for it, by path relative to the root. */
  readonly own: Hashes;
  /** For a rendered file, the digest of what its template rendered. */
  readonly source?: string | undefined;
  /** The warnings. */
  readonly diagnostics?: readonly LocatedDiagnostic[] | undefined;
}

export interface Result extends Pick<Entry, "source" | "diagnostics"> {
  readonly files: readonly OutputFile[];
  /** The project code that was run, by path relative to the root. */
  readonly own?: readonly OutputFile[];
}

type Entries = Record<string, Entry>;

const cacheFile = (root: string): string => path.join(root, ".cms", "cache", "made");

/** The leading digest protects the text: a truncated or edited file counts as empty. */
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

/** The files below a folder, with normalized line endings; undefined if one of them changed. */
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
   * @param anew whether to ignore earlier runs
   */
  constructor(root: string, folder: string, anew = false) {
    this.#root = root;
    this.#folder = folder;
    this.#before = anew ? {} : readEntries(root);
  }

  /** The output for exactly these inputs, if it still exists; undefined if it must be regenerated. */
  recall(name: string, inputs: string): Result | undefined {
    const entry = this.#before[name];
    if (entry?.inputs !== inputs) return undefined;
    const own = readSame(this.#root, entry.own);
    const files = readSame(this.#folder, entry.files);
    if (own === undefined || files === undefined) return undefined;
    this.#now[name] = entry;
    return { files, own, source: entry.source, diagnostics: entry.diagnostics };
  }

  remember(name: string, inputs: string, { files, own = [], ...rest }: Result): void {
    this.#now[name] = { ...rest, inputs, files: hashesOf(files), own: hashesOf(own) };
  }

  /** Keeps everything that this run asked for; the rest is no longer part of the project. */
  save(): void {
    const text = JSON.stringify(this.#now);
    writeCacheFile(cacheFile(this.#root), `${digestOf([text])}\n${text}`);
  }
}
