/** Times what an editor asks for while somebody writes a query. */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { Reader } from "./reads.ts";

/** How long the processor took to list the names that fit a place, several times. */
export interface Completion {
  readonly title: string;
  readonly names: number;
  readonly milliseconds: readonly number[];
}

/** The compiler warms up: the first answers tell what a fresh editor does, the last ones what somebody who writes meets. */
const ROUNDS = 9;

/** Where the cursor stands is marked by ¦. */
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

/** A program that is open in an editor, whose file `name` changes from one question to the next. */
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

/** The first time of each place is that of a type that was not looked at before. `name` is the file that is written. */
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
