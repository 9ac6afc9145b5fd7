/** The files of `config/`, as values. */
import type { Node } from "ts-morph";
import type { CodeReader, Place } from "../code/parse.ts";
import { exportsOf, returned } from "../code/resolve.ts";
import type { Value } from "../code/value-type.ts";
import { resultOf } from "../code/value.ts";

export interface ConfigFile {
  readonly file: string;
  readonly value: Value;
  /** Its exports, if it is code. */
  readonly node: Node | undefined;
}

const fromJson = (json: unknown, at: Place): Value => {
  if (Array.isArray(json)) return { kind: "list", items: json.map((item) => fromJson(item, at)), at };
  if (typeof json === "object" && json !== null)
    return {
      kind: "record",
      members: new Map(Object.entries(json).map(([name, value]) => [name, fromJson(value, at)])),
      at,
    };
  const isLiteral = typeof json === "string" || typeof json === "number" || typeof json === "boolean";
  return { kind: "literal", value: isLiteral ? json : null, at };
};

const unreadable = (file: string): ConfigFile => ({
  file,
  value: { kind: "unknown", text: "", at: { file, line: 1 } },
  node: undefined,
});

const jsonFile = (reader: CodeReader, file: string): ConfigFile => {
  try {
    return { ...unreadable(file), value: fromJson(JSON.parse(reader.text(file)), { file, line: 1 }) };
  } catch {
    // It is not JSON, or has too many levels.
    return unreadable(file);
  }
};

const codeFile = (reader: CodeReader, file: string): ConfigFile => {
  const exported = exportsOf(reader, file).get("");
  if (exported === undefined) return unreadable(file);
  return { file, value: resultOf(reader, exported), node: returned(reader, exported) };
};

/** The file `config/<name>`, or an environment's; undefined if there is none. */
export const configFile = (reader: CodeReader, name: string, folder = "config"): ConfigFile | undefined => {
  const ends = [".ts", ".js", ".mjs", ".cjs", ".json"];
  const file = ends.map((end) => `${folder}/${name}${end}`).find((each) => reader.files.has(each));
  if (file === undefined) return undefined;
  return file.endsWith(".json") ? jsonFile(reader, file) : codeFile(reader, file);
};
