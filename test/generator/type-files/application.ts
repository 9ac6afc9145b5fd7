/** The application that a recorded folder of generated files declares; its built-in types are not recorded. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Application } from "../../../runtime/app/application.ts";
import type { GraphqlModule } from "../../../runtime/graphql/builder.ts";
import type { Component, ContentType } from "../../../runtime/schema/content-type.ts";
import { filesBelow, goldenFolder } from "../../support/golden.ts";

/** What a file exports, by what its name ends in. */
interface Exports {
  readonly descriptor?: object;
  readonly schema?: z.ZodObject;
  readonly graphql?: GraphqlModule;
}

const load = async (file: string): Promise<Exports> => {
  const loaded: Readonly<Record<string, object>> = await import(pathToFileURL(file).href);
  const ending = (end: string) => Object.entries(loaded).find(([name]) => name.endsWith(end))?.[1];
  const [schema, graphql] = [ending("Schema"), ending("Graphql")];
  const descriptor = Object.values(loaded).find((each) => "uid" in each);
  return {
    ...(descriptor ? { descriptor } : {}),
    ...(schema instanceof z.ZodObject ? { schema } : {}),
    ...(graphql ? { graphql: graphql as GraphqlModule } : {}),
  };
};

const typeIn = async (folder: string) => {
  const [type, validator, graphql] = await Promise.all(
    ["type.ts", "validator.ts", "graphql.ts"].map((name) => load(path.join(folder, name))),
  );
  return {
    type: type?.descriptor as ContentType,
    validator: validator?.schema ?? z.object({}),
    graphql: graphql?.graphql,
  };
};

const componentIn = async (file: string) => {
  const [declared, graphql] = await Promise.all([load(file), load(file.replace(/\.ts$/, ".graphql.ts"))]);
  return {
    component: declared.descriptor as Component,
    validator: declared.schema ?? z.object({}),
    graphql: graphql.graphql,
  };
};

const isComponent = (file: string): boolean =>
  file.startsWith("components/") && file.endsWith(".ts") && !file.endsWith(".graphql.ts");

export const applicationIn = async (project: string): Promise<Application> => {
  const root = path.join(goldenFolder(project), "generated");
  const files = filesBelow(root);
  const folders = files.filter((file) => /^[^/]+\/type\.ts$/.test(file)).map(path.dirname);
  const types = await Promise.all(folders.map((folder) => typeIn(path.join(root, folder))));
  const components = await Promise.all(files.filter(isComponent).map((file) => componentIn(path.join(root, file))));
  return {
    contentTypes: Object.fromEntries(types.map((each) => [each.type.uid, each])),
    components: Object.fromEntries(components.map((each) => [each.component.uid, each])),
    extensions: {},
  } as Application;
};
