/** `cms export`: writes the project's content as `strapi export` does. */
import path from "node:path";
import type { Command } from "commander";
import { system } from "../../runtime/access/caller.ts";
import { commandRecorders } from "../../runtime/app/features.ts";
import { SetupError } from "../../runtime/base/thrown.ts";
import type { Act } from "../../runtime/documents/acts.ts";
import { recordAct } from "../../runtime/documents/recorders.ts";
import { withBuiltInTypes } from "../builtin/index.ts";
import type { SourceOf } from "../commands/command.ts";
import { exitCodes } from "../commands/exit-codes.ts";
import { rootOf } from "../commands/global-options.ts";
import { withProgress } from "../commands/progress.ts";
import { withProject } from "../commands/with-project.ts";
import { loadSchemas } from "../schema/load.ts";
import type { SchemaFile } from "../schema/schema-file.ts";
import type { Exported } from "./run.ts";
import type { Declaration } from "./schema-records.ts";
import { schemaRecords } from "./schema-records.ts";

interface Options {
  readonly key?: string;
  readonly files: boolean;
}

/** Some tables are read completely. */
const STATEMENT_SECONDS = 60 * 60;

const HELP = `
Examples:
  $ cms export
  $ cms export backup.tar.gz.enc --key SECRET
  $ cms export content.tar.gz --no-files

It can run while a server does, also with the embedded database. \`cms import\` reads what it writes, and so does \`strapi import\`.`;

const defaultName = (key: string | undefined): string => {
  const time = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return `export_${time}.tar.gz${key === undefined ? "" : ".enc"}`;
};

/** The file as written, if there is one: the parsed form includes defaults. */
const declarationOf = ({ uid, file, schema }: SchemaFile, texts: ReadonlyMap<string, string>): Declaration => {
  const text = file === undefined ? undefined : texts.get(file);
  const written: object = text === undefined ? {} : JSON.parse(text);
  return { ...schema, ...written, attributes: schema.attributes, globalId: undefined, uid };
};

/** The parsed schema files; the project has been loaded, so they are valid. */
const readSchemas = (root: string, from: string): readonly object[] => {
  const loaded = loadSchemas({ root, from });
  const files = withBuiltInTypes(loaded.files, loaded.broken, () => {});
  const of = (kind: SchemaFile["kind"]): readonly Declaration[] =>
    files.filter((file) => file.kind === kind).map((file) => declarationOf(file, loaded.texts));
  return schemaRecords(of("contentType"), of("component"));
};

const summary = (location: string, { rows, files, missing }: Exported): string => {
  const lines = [...rows].filter(([, count]) => count > 0).map(([type, count]) => `  ${type}: ${count} rows`);
  const lost = missing.map((key) => `  ${key}`);
  return [
    `exported to ${location}:`,
    ...lines,
    `  files and formats: ${files}`,
    ...(lost.length > 0 ? ["their bytes are not in the storage:", ...lost] : []),
    "",
  ].join("\n");
};

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .argument("[file]", "where to write the archive (default: export_<time>.tar.gz)")
    .option("--key <key>", "encrypt the archive")
    .option("--no-files", "leave out the bytes of files")
    .addHelpText("after", HELP)
    .action((file: string | undefined, { key, files }: Options) =>
      withProject({ command, sourceOf, statementSeconds: STATEMENT_SECONDS }, async (project) => {
        if (key === "") throw new SetupError("--key is empty.");
        const { runExport } = await import("./run.ts");
        const location = path.resolve(file ?? defaultName(key));
        const act: Act = {
          action: "content.export",
          subject: { type: "archive", id: path.basename(location), name: location },
          details: { files, encrypted: key !== undefined },
        };
        await recordAct(project.database, await commandRecorders(project), act, system);
        const schemas = readSchemas(rootOf(command), project.config.generate.from);
        const exported = await withProgress("reading the database", (onStep) =>
          runExport(project, { location, key, withFiles: files, schemas, onStep }),
        );
        process.stdout.write(summary(path.relative(process.cwd(), location), exported));
        if (exported.missing.length > 0) process.exitCode = exitCodes.drift;
      }),
    );
};
