/** The example, served in a format of GraphQL to a user who may read and write its articles and authors. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { cmsOutput, serve } from "./cms.ts";
import { copyExample } from "./packed.ts";
import { useServer } from "./project.ts";
import { workspace } from "./workspace.ts";

export type Format = "flat" | "entity";

/** How users are recognised: each format is served in one of the modes. */
export const MODES = { flat: "refresh", entity: "legacy" } as const;

const config = (format: Format): string => `import { defineConfig } from "galley-cms";

const written = ["article", "author"].flatMap((name) =>
  ["find", "findOne", "create", "update", "delete"].map((action) => \`api::\${name}.\${name}.\${action}\`),
);

export default defineConfig({
  locales: { default: "en", codes: ["en", "de"] },
  graphql: { format: "${format}" },
  auth: { jwt: { mode: "${MODES[format]}" } },
  permissions: { authenticated: [...written, "api::article.article.publish", "plugin::users-permissions.user.me"] },
});
`;

/** A copy of the example in a folder where its generated code finds this package. */
export const exampleIn = async (format: Format): Promise<string> => {
  const root = workspace();
  await copyExample(root);
  writeFileSync(path.join(root, "cms.config.ts"), config(format));
  await cmsOutput(root, ["generate"]);
  return root;
};

export interface ServedExample {
  /** Of the GraphQL endpoint. */
  readonly endpoint: string;
  /** The value of the Authorization header of a user. */
  readonly authorization: string;
}

const registration = `mutation {
  register(input: { username: "reader", email: "reader@example.test", password: "Passw0rd!" }) { jwt }
}`;

/** Migrates, starts and registers a user. */
export const serveExample = async (format: Format): Promise<ServedExample> => {
  const root = await exampleIn(format);
  await useServer(root);
  await cmsOutput(root, ["migrate"]);
  await cmsOutput(root, ["permissions", "apply"]);
  const { url } = await serve(root);
  const endpoint = `${url}/graphql`;
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: registration }),
  });
  const { data }: { data: { register: { jwt: string } } } = JSON.parse(await answer.text());
  return { endpoint, authorization: `Bearer ${data.register.jwt}` };
};
