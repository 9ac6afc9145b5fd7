/** CMS1xxx: files, JSON and its shape. */
import { define, quote } from "./problem.ts";

export const shapeProblems = {
  invalidJson: define(
    "CMS1001",
    "error",
    "The file is not JSON.",
    ({ detail }: { detail: string }) => `this is not valid JSON: ${detail}`,
  ),
  duplicateKey: define(
    "CMS1002",
    "warning",
    "A JSON object names a key twice. The last one counts.",
    ({ key }: { key: string }) => `the key ${quote(key)} stands here a second time, and only this one counts`,
  ),
  missingFolder: define(
    "CMS1003",
    "error",
    "The folder of schema files does not exist.",
    () => 'there is no such folder; "cms init" makes one, and "--from" names another',
  ),
  noSchemaFiles: define(
    "CMS1004",
    "warning",
    "The folder holds no schema files.",
    () => "this folder holds no schema files: none is called <name>/schema.json or components/<category>/<name>.json",
  ),
  schemaIsProgram: define(
    "CMS1005",
    "error",
    "A schema is written as a program. Only JSON is read.",
    () => "a schema must be JSON: write what this program exports to a schema.json beside it, and delete it",
  ),
  folderName: define(
    "CMS1006",
    "error",
    "The name of the folder of a content type is not its singularName. In the layout of Strapi they may differ.",
    ({ singularName, folder }: { singularName: string; folder: string }) =>
      `singularName is ${quote(singularName)}, and the folder is called ${quote(folder)}: both must be the same`,
  ),
  missingKey: define(
    "CMS1007",
    "error",
    "A required key is missing.",
    ({ key, expected }: { key: string; expected: string }) => `${key} is missing: it must be ${expected}`,
  ),
  wrongValue: define(
    "CMS1008",
    "error",
    "A value has the wrong type, or is not an allowed value.",
    ({ key, expected, found }: { key: string; expected: string; found: string }) =>
      `${key} must be ${expected}, not ${found}`,
  ),
  unknownKey: define(
    "CMS1009",
    "warning",
    "A key has no meaning here. It is ignored.",
    ({ key, owner }: { key: string; owner: string }) => `${owner} has no option ${quote(key)}: it is ignored`,
  ),
  misspeltGuard: define(
    "CMS1013",
    "error",
    "A key has no meaning here, and resembles an option that decides who sees what: drafts, locales, private or unique attributes. Were it ignored, content could become public.",
    ({ key, owner, place }: { key: string; owner: string; place: string }) =>
      `${owner} has no option ${quote(key)}: write ${quote(place)}, which decides who sees what, or remove the key`,
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
  extensionOfNothing: define(
    "CMS1011",
    "warning",
    "An extension.ts has no schema file beside it and belongs to no built-in type. It is not used.",
    ({ uid }: { uid: string }) => `there is no content type ${quote(uid)}: this file is not used`,
  ),
  foreignCode: define(
    "CMS1012",
    "warning",
    "There is code of a Strapi project among the schema files, such as a controller, lifecycle, route or policy that somebody wrote. Galley does not run it.",
    ({ kind, instead }: { kind: string; instead: string }) =>
      `${kind} of Strapi, which does not run here: what it does is for ${instead}`,
  ),
};
