/** Adds an attribute to a schema file. */
import { readFile, writeFile } from "node:fs/promises";
import { parse, type ParseError } from "jsonc-parser";
import { didYouMean } from "../../../runtime/base/did-you-mean.ts";
import { snakeCase } from "../../model/names.ts";
import { attributeNameClass } from "../../model/reserved.ts";
import { attributeShapes, isAttributeType } from "../../schema/attribute-shapes.ts";
import { setInJson } from "../../schema/set-in-json.ts";
import { CommandError } from "../exit-codes.ts";

interface Attribute {
  readonly name: string;
  readonly type: string;
  /** The schema file as shown in messages. */
  readonly file: string;
}

/** @throws CommandError for an unknown type, or one whose required options are missing */
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

/** @throws CommandError for a name that every document already uses */
const demandName = (name: string): void => {
  const standing = attributeNameClass(snakeCase(name));
  if (standing === "identity" || standing === "system")
    throw new CommandError(`an attribute cannot be called "${name}": every document has one of that name.`);
};

/**
 * Adds it to the schema file `whole` and keeps the file's formatting.
 *
 * @throws CommandError for a duplicate, an unusable name, an unknown type, or a file that is not a schema
 */
export const addAttribute = async (whole: string, { name, type, file }: Attribute): Promise<void> => {
  demandName(name);
  demandType(type);
  const text = await readFile(whole, "utf8");
  const errors: ParseError[] = [];
  const schema: unknown = parse(text, errors);
  if (errors.length > 0) throw new CommandError(`${file} is no JSON. Nothing was written; cms generate says where.`);
  if (Object.hasOwn(Object(Object(schema).attributes), name)) throw new CommandError(`${file} has "${name}" already.`);
  await writeFile(whole, setInJson(text, ["attributes", name], { type }));
};
