/** A whole rename: schema files, code, generated files, migration. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PlannedMigration } from "../../migrate/plan.ts";
import type { Component, ContentType, Model } from "../../model/model.ts";
import { loadSchemas } from "../../schema/load.ts";
import { CommandError } from "../exit-codes.ts";
import type { GenerateFlags } from "../generate/flags.ts";
import { loadModel } from "../generate/load-model.ts";
import { openSources, type Project } from "../generate/project.ts";
import { generate } from "../generate/run.ts";
import { out } from "../terminal.ts";
import type { RenamedCode } from "./edit-code.ts";

interface Target {
  readonly owner: ContentType | Component;
  readonly attribute: string;
}

const names = (owner: ContentType | Component): readonly string[] =>
  "singularName" in owner ? [owner.singularName, owner.uid] : [owner.uid];

/** Finds `article.subtitle` or `shared.seo.title`. */
const findTarget = ({ contentTypes, components }: Model, place: string): Target => {
  const at = place.lastIndexOf(".");
  const [name, attribute] = [place.slice(0, at), place.slice(at + 1)];
  const owners = [...contentTypes, ...components].filter((each) => names(each).includes(name));
  const [owner, second] = owners;
  if (at === -1 || owner === undefined) {
    throw new CommandError(`there is no content type or component "${at === -1 ? place : name}"`);
  }
  if (second) throw new CommandError(`"${name}" is ambiguous: ${owners.map(({ uid }) => uid).join(", ")}`);
  if (!owner.attributes.some((each) => each.name === attribute)) {
    const known = owner.attributes.map((each) => each.name).join(", ");
    throw new CommandError(`${owner.uid} has no attribute "${attribute}"; it has ${known}`);
  }
  return { owner, attribute };
};

/** Edits the schema files; returns their old contents by path. */
const editSchemas = async (project: Project, { owner, attribute }: Target, name: string) => {
  const { renameInSchema } = await import("./edit-schema.ts");
  const { texts } = loadSchemas(project);
  const before = new Map<string, string>();
  for (const file of texts.keys()) {
    const full = path.join(project.root, file);
    const text = readFileSync(full, "utf8");
    const edited = renameInSchema(text, { uid: owner.uid, from: attribute, to: name }, file === owner.file);
    if (edited === text) continue;
    before.set(full, text);
    writeFileSync(full, edited);
  }
  return before;
};

const interfaceFile = (owner: ContentType | Component): string =>
  "path" in owner.names ? `${owner.names.path}.ts` : `${owner.names.folder}/document.ts`;

const list = (heading: string, lines: readonly string[]): void => {
  if (lines.length === 0) return;
  process.stdout.write(`${out.bold(heading)}\n${lines.map((line) => `  ${line}\n`).join("")}`);
};

/** Says what was renamed, and what is left to do. */
const report = (
  { root, name }: Project,
  attribute: string,
  schemas: Iterable<string>,
  code: RenamedCode,
  migration: PlannedMigration | undefined,
): void => {
  list(
    "schema files",
    [...schemas].map((file) => path.relative(root, file)),
  );
  list("code", code.places);
  list("migration", migration ? [`${name}/migrations/${migration.name}/up.sql`] : []);
  process.stdout.write(
    `Review these, and search for "${attribute}" in texts, queries and clients, which are not renamed. ` +
      "Then run `cms migrate`.\n",
  );
};

/** The attribute at `place`; checks that it can be called `name`. */
const targetOf = async (project: Project, place: string, name: string): Promise<Target> => {
  const { model } = await loadModel(project);
  if (!model) throw new CommandError("the schema files have errors: see `cms generate`");
  const target = findTarget(model, place);
  const { uid, file, attributes } = target.owner;
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) throw new CommandError(`"${name}" cannot be the name of an attribute`);
  if (attributes.some((each) => each.name === name))
    throw new CommandError(`${uid} has an attribute "${name}" already`);
  if (file === undefined) throw new CommandError(`${uid} is built in: extend it first`);
  return target;
};

/** Renames attribute `place` to `name` in the project at `root`. */
export const runRename = async (
  root: string,
  place: string,
  name: string,
  flags: Pick<GenerateFlags, "expand"> = {},
): Promise<void> => {
  const project = await openSources(root, undefined);
  const target = await targetOf(project, place, name);
  const before = await editSchemas(project, target, name);
  let code: RenamedCode | undefined;
  try {
    const { renameInCode } = await import("./edit-code.ts");
    code = renameInCode({
      root,
      file: path.join(project.folder, interfaceFile(target.owner)),
      interface: target.owner.names.interface,
      from: target.attribute,
      to: name,
      generated: project.folder,
    });
    const { migration, plan } = await generate(project, flags);
    if (!plan) throw new CommandError(`"${name}" does not work as a name here: see \`cms generate\``);
    report(project, target.attribute, before.keys(), code, migration);
  } catch (error) {
    code?.undo();
    for (const [file, text] of before) writeFileSync(file, text);
    throw error;
  }
};
