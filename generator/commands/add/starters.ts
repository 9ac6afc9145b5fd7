/** What `cms add` writes. */
import { displayNameOf } from "../../../runtime/schema/display-name.ts";
import { starter } from "../starter-files.ts";

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
export const extensionStarter = (uid: string): string =>
  starter("extension.ts")
    .replace("new example", `new ${uid.slice(uid.indexOf(".") + 1)}`)
    .replace("api::example.example", uid);

/** A policy that lets those pass who are logged in, or a task that runs each night. */
export const constantStarter = (kind: "policy" | "task", name: string): string =>
  starter(`${kind}.ts`).replaceAll("example", name);
