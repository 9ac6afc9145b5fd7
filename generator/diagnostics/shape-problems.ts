/** CMS1xxx: files, JSON and its shape. */
import { define, error, quote, warning } from "./problem.ts";

export const shapeProblems = {
  invalidJson: error("CMS1001", "The file is not JSON.", "this is not valid JSON: {=detail}"),
  duplicateKey: warning(
    "CMS1002",
    "A JSON object names a key twice. The last one counts.",
    "the key {key} stands here a second time, and only this one counts",
  ),
  missingFolder: error(
    "CMS1003",
    "The folder of schema files does not exist.",
    'there is no such folder; "cms init" makes one, and "--from" names another',
  ),
  noSchemaFiles: warning(
    "CMS1004",
    "The folder holds no schema files.",
    "this folder holds no schema files: none is called <name>/schema.json or components/<category>/<name>.json",
  ),
  schemaIsProgram: error(
    "CMS1005",
    "A schema is written as a program. Only JSON is read.",
    "a schema must be JSON: write what this program exports to a schema.json beside it, and delete it",
  ),
  folderName: error(
    "CMS1006",
    "The name of the folder of a content type is not its singularName. In the layout of Strapi they may differ.",
    "singularName is {singularName}, and the folder is called {folder}: both must be the same",
  ),
  missingKey: error("CMS1007", "A required key is missing.", "{=key} is missing: it must be {=expected}"),
  wrongValue: error(
    "CMS1008",
    "A value has the wrong type, or is not an allowed value.",
    "{=key} must be {=expected}, not {=found}",
  ),
  unknownKey: warning(
    "CMS1009",
    "A key has no meaning here. It is ignored.",
    "{=owner} has no option {key}: it is ignored",
  ),
  misspeltGuard: error(
    "CMS1013",
    "A key has no meaning here, and resembles an option that decides who sees what: drafts, locales, private or unique attributes. Were it ignored, content could become public.",
    "{=owner} has no option {key}: write {place}, which decides who sees what, or remove the key",
  ),
  unknownType: define(
    "CMS1010",
    "error",
    "An attribute has no type, or one that does not exist.",
    ({ attribute, type }: { attribute: string; type: string | undefined }) =>
      type === undefined
        ? `attribute ${quote(attribute)} has no type`
        : `attribute ${quote(attribute)} has the type ${type}, which does not exist`,
  ),
  extensionOfNothing: warning(
    "CMS1011",
    "An extension.ts has no schema file beside it and belongs to no built-in type. It is not used.",
    "there is no content type {uid}: this file is not used",
  ),
  foreignCode: warning(
    "CMS1012",
    "There is code of a Strapi project among the schema files, such as a controller, lifecycle, route or policy that somebody wrote. Galley does not run it.",
    "{=kind} of Strapi, which does not run here: use {=instead} for what it does",
  ),
};
