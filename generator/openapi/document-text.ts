/** `openapi.json`: what REST takes and answers, for reviewers and for tools of clients. JSON has no line for a header. */
import type { Application } from "../../runtime/app/application.ts";
import { SetupError } from "../../runtime/base/setup-error.ts";
import { traceOf } from "../../runtime/base/thrown.ts";
import type { Config } from "../../runtime/config/config.ts";
import { openapiDocument } from "../../runtime/openapi/document.ts";
import { printJson } from "./print-json.ts";

/**
 * The text of the file.
 *
 * @throws SetupError when an extension fails to add its routes
 */
export const documentText = async (
  application: Application,
  config: Pick<Config, "graphql" | "rest" | "documents">,
): Promise<string> => {
  try {
    return await printJson("openapi.json", openapiDocument(application, config));
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const trace = traceOf(error);
    throw new SetupError(`routes cannot be described: ${trace}`, { cause: error });
  }
};
