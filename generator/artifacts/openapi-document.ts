/** `openapi.json`: what REST takes and answers, for reviewers and for tools of clients. JSON has no line for a header. */
import type { Application } from "../../runtime/app/application.ts";
import { isRecord } from "../../runtime/base/is-record.ts";
import { SetupError } from "../../runtime/base/setup-error.ts";
import { traceOf } from "../../runtime/base/thrown.ts";
import type { Config } from "../../runtime/config/config.ts";
import { openapiDocument } from "../../runtime/openapi/document.ts";
import { formatted } from "../emit/format.ts";
import { checkRouteActions } from "./route-actions.ts";

/** How many levels always have a line for each member: parts of the document, paths and schemas, operations. */
const OPEN_LEVELS = 4;

/** What has it on the level below: a schema's attributes, an operation's answers. */
const OPEN = new Set(["properties", "responses"]);

/** A line for each thing that a reviewer looks for: the formatter leaves an object open whose first member has its own line. */
const print = (value: unknown, depth: number, key: string): string => {
  if (depth > OPEN_LEVELS || !isRecord(value) || (depth === OPEN_LEVELS && !OPEN.has(key)))
    return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${print(member, depth + 1, name)}`,
  );
  return `{\n${members.join(",\n")}\n}`;
};

/**
 * The text of the file.
 *
 * @throws SetupError when an extension fails to add its routes, or these ask for a misspelt action
 */
export const documentText = async (
  application: Application,
  config: Pick<Config, "graphql" | "rest" | "documents" | "permissions">,
): Promise<string> => {
  try {
    checkRouteActions(application, config.permissions);
    return await formatted("openapi.json", print(openapiDocument(application, config), 0, ""));
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`routes cannot be described: ${traceOf(error)}`, { cause: error });
  }
};
