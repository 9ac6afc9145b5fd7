/** Adds an attribute to a schema file. */
import { readFile, writeFile } from "node:fs/promises";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { didYouMean } from "../../../runtime/base/did-you-mean.ts";
import { snakeCase } from "../../model/names.ts";
import { attributeNameClass } from "../../model/reserved.ts";
import { attributeShapes, isAttributeType } from "../../schema/attribute-shapes.ts";
import { CommandError } from "../exit-codes.ts";

interface Attribute {
  readonly name: string;
  readonly type: string;
  /** The schema file as it is told of. */
  readonly file: string;
}

/** @throws CommandError for a type that there is not, or that needs options which nobody has given */
const demandType = (type: string): void => {
  if (!isAttributeType(type)) {
    const known = Object.keys(attributeShapes);
    throw new CommandError(`there is no type "${type}".${didYouMean(type, known)} There are ${known.join(", ")}.`);
  }
  const { error } = attributeShapes[type].safeParse({ type });
  if (!error) return;
  const lacking = error.issues.map(({ path }) => `"${path.join(".")}"`).join(", ");
  throw new CommandError(`an attribute of the type "${type}" needs ${lacking} as well: write it into the schema file.`);
};

/** @throws CommandError for the name of something that every document has */
const demandName = (name: string): void => {
  const standing = attributeNameClass(snakeCase(name));
  if (standing === "identity" || standing === "system")
    throw new CommandError(`an attribute cannot be called "${name}": every document has one of that name.`);
};

/**
 * Adds it to the schema file `whole`, whose formatting stays.
 *
 * @throws CommandError for one that is there, a name that cannot be used, a type that there is not, and a file that is no schema
 */
export const addAttribute = async (whole: string, { name, type, file }: Attribute): Promise<void> => {
  demandName(name);
  demandType(type);
  const text = await readFile(whole, "utf8");
  const errors: ParseError[] = [];
  const schema: unknown = parse(text, errors);
  if (errors.length > 0) throw new CommandError(`${file} is no JSON. Nothing was written; cms generate says where.`);
  if (Object.hasOwn(Object(Object(schema).attributes), name)) throw new CommandError(`${file} has "${name}" already.`);
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  const edits = modify(text, ["attributes", name], { type }, { formattingOptions });
  await writeFile(whole, applyEdits(text, edits));
};
