/** What tells clients of the server: the GraphQL schema and the OpenAPI document, as files beside the generated code. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { installation } from "../../runtime/app/loader/installation.ts";
import type { Config } from "../../runtime/config/config.ts";
import { digestOf } from "../rendered/digest.ts";
import type { ApplicationSource } from "./load-application.ts";
import { rememberArtifacts, rememberedArtifacts } from "./remembered.ts";

/** What the files depend on besides the rendered code. */
export type ArtifactConfig = Pick<Config, "graphql" | "openapi" | "rest">;

interface Artifact {
  readonly path: string;
  readonly text: string;
}

const digestFor = ({ rendered, own }: ApplicationSource, { graphql, openapi, rest }: ArtifactConfig): string =>
  digestOf([
    installation(),
    JSON.stringify({
      own,
      graphql: [graphql.artifacts, graphql.format, graphql.shadowCRUD, graphql.endpoint],
      openapi: [openapi.artifact, rest.prefix],
    }),
    ...rendered.flatMap(({ path: file, text }) => [file, text]),
  ]);

/**
 * Renders the files that the configuration asks for. Of the project's code what rendered files import is run: `app.ts`, and
 * of that `register`, and every `extension.ts`, and of those `routes`. Nothing is loaded when nothing has changed since
 * the last run on this machine.
 *
 * @throws SetupError when code of the project fails, or asks for what does not exist
 */
export const renderArtifacts = async (
  source: ApplicationSource,
  config: ArtifactConfig,
): Promise<readonly Artifact[]> => {
  const { graphql, openapi } = config;
  if (!graphql.artifacts && !openapi.artifact) return [];
  const digest = digestFor(source, config);
  const remembered = rememberedArtifacts(source.root, digest);
  if (remembered !== undefined) return remembered;

  const { loadApplication } = await import("./load-application.ts");
  const { application, inputs } = await loadApplication(source);
  const artifacts: Artifact[] = [];
  if (graphql.artifacts) {
    const { schemaText } = await import("../graphql/schema-text.ts");
    artifacts.push({ path: "schema.graphql", text: schemaText(application, graphql) });
  }
  if (openapi.artifact) {
    const { documentText } = await import("../openapi/document-text.ts");
    artifacts.push({ path: "openapi.json", text: documentText(application, config) });
  }
  rememberArtifacts(source.root, {
    digest,
    inputs: Object.fromEntries(inputs.map((file) => [path.relative(source.root, file), readFileSync(file, "utf8")])),
    artifacts,
  });
  return artifacts;
};
