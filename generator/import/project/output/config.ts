import { keyText, type Setting } from "../settings/setting.ts";
/** `cms.config.ts`, with a comment after each line that says where it comes from. */

interface Group {
  readonly members: Map<string, Group | Setting>;
}

const isGroup = (value: Group | Setting): value is Group => "members" in value;

const put = (group: Group, path: readonly string[], setting: Setting): void => {
  const [name = "", ...rest] = path;
  const found = group.members.get(name);
  if (rest.length === 0) {
    // The first of two settings with the same name wins.
    if (found === undefined) group.members.set(name, setting);
    return;
  }
  const inner = found && isGroup(found) ? found : { members: new Map<string, Group | Setting>() };
  if (found === undefined) group.members.set(name, inner);
  put(inner, rest, setting);
};

/** Keeps a comment on one line, whatever it contains. */
const oneLine = (text: string): string => text.replaceAll(/[\s\u2028\u2029]+/g, " ");

const print = (group: Group, indent: string): readonly string[] =>
  [...group.members].flatMap(([name, value]) =>
    isGroup(value)
      ? [`${indent}${keyText(name)}: {`, ...print(value, `${indent}  `), `${indent}},`]
      : [`${indent}${keyText(name)}: ${value.expression}, // ${oneLine(value.from)}`],
  );

/** The text of the file. */
export const configText = (settings: readonly Setting[]): string => {
  const root: Group = { members: new Map() };
  for (const setting of settings) put(root, setting.name.split("."), setting);
  const usesVariables = settings.some(({ expression }) => /\benv\[/.test(expression));
  return [
    'import { defineConfig } from "galley-cms";',
    "",
    usesVariables ? "export default defineConfig((env) => ({" : "export default defineConfig({",
    ...print(root, "  "),
    usesVariables ? "}));" : "});",
    "",
  ].join("\n");
};
