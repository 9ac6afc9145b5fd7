/** Times an editor's requests while somebody writes a query. */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { Reader } from "./reads.ts";

/** The CPU time to list completions at a position, several times. */
export interface Completion {
  readonly title: string;
  readonly names: number;
  readonly milliseconds: readonly number[];
}

/** The compiler warms up: the first answers show a fresh editor, the last ones an editor in use. */
const ROUNDS = 9;

/** ¦ marks the cursor. */
const places = [
  ["a filter", "find({ filters: { ¦ } }))"],
  ["a filter behind two relations", "find({ filters: { previous: { partner: { ¦ } } } }))"],
  ["fields", 'find({ fields: ["¦"] }))'],
  [
    "populate behind two relations",
    "find({ populate: { previous: { populate: { partner: { populate: { ¦ } } } } } }))",
  ],
  ["what was read", 'findOne("a", { populate: { previous: { fields: ["title"] } } }))…previous?.¦'],
  ["what is written", 'create({ data: { title: "a", ¦ } }))'],
  ["what is written of a draft", 'create({ status: "draft", data: { title: "a", ¦ } }))'],
  ["what is changed", 'update("a", { data: { title: "a", ¦ } }))'],
] as const;

/** A program open in an editor; its file `name` changes between requests. */
const openEditor = (configuration: string, name: string) => {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    JSON.parse(readFileSync(configuration, "utf8")),
    ts.sys,
    path.dirname(configuration),
  );
  let version = 0;
  let text = readFileSync(name, "utf8");
  const texts = new Map<string, string | undefined>();
  const read = (file: string): string | undefined => {
    if (file === name) return text;
    if (!texts.has(file)) texts.set(file, ts.sys.readFile(file));
    return texts.get(file);
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => (file === name ? String(version) : "0"),
    getScriptSnapshot: (file) => {
      const content = read(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => path.dirname(configuration),
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (file) => ts.sys.fileExists(file),
    readFile: read,
    realpath: (file) => ts.sys.realpath?.(file) ?? file,
    directoryExists: (folder) => ts.sys.directoryExists(folder),
    getDirectories: (folder) => ts.sys.getDirectories(folder),
  });
  return {
    text,
    complete(changed: string, position: number): readonly string[] {
      text = changed;
      version++;
      return service.getCompletionsAtPosition(name, position, {})?.entries.map((entry) => entry.name) ?? [];
    },
  };
};

/** The first time at each position is for a type not seen before. `name` is the edited file. */
export const completionTimes = (configuration: string, name: string, reader: Reader): readonly Completion[] => {
  const editor = openEditor(configuration, path.join(path.dirname(configuration), name));
  return places.map(([title, place], index) => {
    let names = 0;
    const milliseconds = Array.from({ length: ROUNDS }, (_, round) => {
      const type = reader.type(index * 3 + 50 + (round === 0 ? 0 : 1));
      const marked = `${editor.text}\nexport const asked = async () => (await ${type}.${place.replace("…", reader.member)};\n`;
      const started = process.cpuUsage();
      names = editor.complete(marked.replace("¦", ""), marked.indexOf("¦")).length;
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1000;
    });
    return { title, names, milliseconds };
  });
};
