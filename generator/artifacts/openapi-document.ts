/** `openapi.json`: REST requests and responses, for reviewers and client tools. JSON has no room for a header line. */
import type { Application } from "../../runtime/app/application.ts";
import { featureRoutes, type FeatureSettings } from "../../runtime/app/feature-routes.ts";
import { isRecord } from "../../runtime/base/is-record.ts";
import { SetupError, traceOf } from "../../runtime/base/thrown.ts";
import type { Config } from "../../runtime/config/config.ts";
import { openapiDocument } from "../../runtime/openapi/document.ts";
import { formatted } from "../emit/format.ts";
import { checkRouteActions } from "./route-actions.ts";

/** The number of levels that always have one line per member: parts of the document, paths and schemas, operations. */
const OPEN_LEVELS = 4;

/** Members that are expanded one level further: a schema's attributes, an operation's responses. */
const OPEN = new Set(["properties", "responses"]);

/**
 * Gives each thing that reviewers look for its own line: the formatter keeps an object expanded if its first member is
 * on a new line.
 */
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
 * @throws SetupError if an extension fails to add its routes, or a route asks for a misspelt action
 */
export const documentText = async (
  application: Application,
  config: Pick<Config, "graphql" | "rest" | "documents" | "permissions" | "search"> & FeatureSettings,
): Promise<string> => {
  try {
    checkRouteActions(application, config.permissions);
    return await formatted(
      "openapi.json",
      print(await openapiDocument(application, config, featureRoutes(config)), 0, ""),
    );
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`routes cannot be described: ${traceOf(error)}`, { cause: error });
  }
};
