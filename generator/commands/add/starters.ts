/** What `cms add` writes. */
import { displayNameOf } from "../../../runtime/schema/display-name.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const plural = (name: string): string =>
  /(?:[sxz]|[cs]h)$/.test(name) ? `${name}es` : name.replace(/([^aeiou])y$/, "$1ie") + "s";

/** A collection type with one attribute. */
export const typeStarter = (name: string): string =>
  json({
    kind: "collectionType",
    collectionName: plural(name).replaceAll("-", "_"),
    info: { singularName: name, pluralName: plural(name), displayName: displayNameOf(name) },
    options: { draftAndPublish: true },
    attributes: { title: { type: "string", required: true } },
  });

/** A component with one attribute. */
export const componentStarter = (name: string): string =>
  json({ info: { displayName: displayNameOf(name) }, attributes: { text: { type: "string" } } });

/** The extension of the type with this uid. */
export const extensionStarter = (uid: string): string => `import { defineExtension } from "galley-cms";

export default defineExtension<"${uid}">({
  hooks: {
    async afterCreate({ document, services }) {
      services.log.info({ documentId: document.documentId }, "a new ${uid.slice(uid.indexOf(".") + 1)}");
    },
  },
});
`;

/** A policy that lets those pass who are logged in. */
export const policyStarter = (name: string): string => `import type { RestPolicy } from "galley-cms/rest";

/** Lets a request pass by \`true\`; anything else is a 403. */
export const ${name}: RestPolicy = ({ state }) => state.caller.kind === "user";
`;

/** A task that runs each night. */
export const taskStarter = (name: string): string => `import type { Task } from "galley-cms";

export const ${name}: Task = {
  schedule: "0 3 * * *",
  async run({ services }) {
    services.log.info("${name} ran");
  },
};
`;
