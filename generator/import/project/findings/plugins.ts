/** Plugins: those that the project depends on, and those that its configuration names. */
import type { StrapiProject } from "../project.ts";
import type { Named } from "../settings/read.ts";
import { type Finding, finding } from "./finding.ts";

/** Packages whose function exists here, with their replacement; an empty text needs no mention. */
const here: ReadonlyMap<string, string> = new Map([
  ["@strapi/plugin-users-permissions", ""],
  ["@strapi/plugin-graphql", ""],
  ["@strapi/plugin-i18n", ""],
  ["@strapi/plugin-upload", ""],
  ["@strapi/plugin-email", ""],
  ["@strapi/provider-email-nodemailer", ""],
  ["@strapi/provider-upload-aws-s3", ""],
  ["@strapi/provider-upload-local", ""],
  ["@strapi/plugin-documentation", "`cms generate` writes the API as OpenAPI"],
  ["@strapi/plugin-seo", "its components stay; what it shows in the admin panel does not"],
  ["@strapi/plugin-cloud", "deploys to a service for Strapi"],
]);

const IS_PLUGIN =
  /^(?:@strapi\/(?:plugin|provider)-|(?:@[^/]+\/)?strapi-(?:plugin|provider)-|@[^/]+\/plugin-strapi)|strapi-plugin/;

/** A package's name in the configuration. */
const shortOf = (name: string): string => name.replace(/^.*\/|^strapi-/g, "").replace(/^(?:strapi-)?plugin-/, "");

/** @param named the plugins that `config/plugins` names */
export const pluginFindings = ({ dependencies }: StrapiProject, named: readonly Named[]): readonly Finding[] => {
  const packages = [...dependencies].filter(([name]) => IS_PLUGIN.test(name) && here.get(name) !== "");
  const known = new Set(packages.flatMap(([name]) => [name, shortOf(name)]));
  const settingsOf = (name: string): Named | undefined =>
    named.find((each) => each.name === name || each.name === shortOf(name));
  return [
    ...packages.map(([name, version]): Finding => {
      const settings = settingsOf(name)?.value.at;
      const where = settings && `its settings: \`${settings.file}:${settings.line}\``;
      return finding("plugin", `${name} ${version}`, "package.json", here.get(name), where);
    }),
    ...named
      .filter(({ name }) => !known.has(name))
      .map(({ name, value }) => finding("plugin", `settings of ${name}`, value.at)),
  ];
};
