/** CMS1xxx: files, JSON and its shape. */
import { define, error, quote, warning } from "./problem.ts";

export const shapeProblems = {
  invalidJson: error("CMS1001", "this is not valid JSON: {=detail}"),
  duplicateKey: warning("CMS1002", "the key {key} stands here a second time, and only this one counts"),
  missingFolder: error("CMS1003", 'there is no such folder; "cms init" makes one, and "--from" names another'),
  noSchemaFiles: warning(
    "CMS1004",
    "this folder holds no schema files: none is called <name>/schema.json or components/<category>/<name>.json",
  ),
  schemaIsProgram: error(
    "CMS1005",
    "a schema must be JSON: write what this program exports to a schema.json beside it, and delete it",
  ),
  folderName: error(
    "CMS1006",
    "singularName is {singularName}, and the folder is called {folder}: both must be the same",
  ),
  missingKey: error("CMS1007", "{=key} is missing: it must be {=expected}"),
  wrongValue: error("CMS1008", "{=key} must be {=expected}, not {=found}"),
  unknownKey: warning("CMS1009", "{=owner} has no option {key}: it is ignored"),
  misspeltGuard: error(
    "CMS1013",
    "{=owner} has no option {key}: write {place}, which decides who sees what, or remove the key",
  ),
  unknownType: define("CMS1010", "error", ({ attribute, type }: { attribute: string; type: string | undefined }) =>
    type === undefined
      ? `attribute ${quote(attribute)} has no type`
      : `attribute ${quote(attribute)} has the type ${type}, which does not exist`,
  ),
  extensionOfNothing: warning("CMS1011", "there is no content type {uid}: this file is not used"),
  foreignCode: warning("CMS1012", "{=kind} of Strapi, which does not run here: use {=instead} for what it does"),
};
