/** The page that shows the document. It is self-contained, and sends requests only to this server. */
import { html, raw } from "hono/html";
import type { JsonObject } from "../json-schema.ts";
import { exampleOf, items, nameIn, part, resolve, textOf, wordsFor } from "./reader.ts";
import { SCRIPT_ELEMENT, SCRIPT_SOURCE } from "./script.ts";
import { STYLE_ELEMENT, STYLE_SOURCE } from "./style.ts";

/**
 * The content security policy: allows the page's script and style by their hashes, and requests to this server only.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `script-src ${SCRIPT_SOURCE}`,
  `style-src ${STYLE_SOURCE}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(";");

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly told: JsonObject;
}

const operationsOf = (document: JsonObject): readonly Operation[] =>
  Object.entries(part(document, "paths")).flatMap(([path, methods]) =>
    Object.keys(part(methods)).map((method) => ({ method: method.toUpperCase(), path, told: part(methods, method) })),
  );

/** A schema in words, with a link where it has a name of its own. */
const schemaLink = (schema: JsonObject) => {
  const name = nameIn(schema) ?? nameIn(part(schema, "items"));
  const words = wordsFor(schema);
  return name === undefined
    ? html`<code>${words}</code>`
    : html`<a href="#${encodeURIComponent(`schema-${name}`)}"><code>${words}</code></a>`;
};

const actionOf = (told: JsonObject): string =>
  items(told["security"])
    .flatMap(({ token }) => (Array.isArray(token) ? token : []))
    .join(", ");

const parametersOf = (document: JsonObject, told: JsonObject): readonly JsonObject[] =>
  items(told["parameters"]).map((each) => resolve(document, each));

const parameterRow = (parameter: JsonObject) =>
  html`<tr>
    <td><code>${textOf(parameter["name"])}</code> <span class="soft">${textOf(parameter["in"])}</span></td>
    <td>${schemaLink(part(parameter, "schema"))} <span class="soft">${textOf(parameter["description"])}</span></td>
  </tr>`;

const answerRow = ([status, given]: readonly [string, JsonObject], document: JsonObject) => {
  const schema = part(resolve(document, given), "content", "application/json", "schema");
  const shown = part(schema, "properties", "data");
  return html`<tr>
    <td><code>${status}</code></td>
    <td>${Object.keys(schema).length === 0 ? "" : schemaLink(Object.keys(shown).length === 0 ? schema : shown)}</td>
  </tr>`;
};

const pathInput = (parameter: JsonObject) =>
  html`<label
    ><code>${textOf(parameter["name"])}</code> <input name="${textOf(parameter["name"])}" data-in="path" required
  /></label>`;

const bodyInput = (document: JsonObject, told: JsonObject) => {
  const content = part(told, "requestBody", "content");
  if ("multipart/form-data" in content)
    return html`<p>
      <label>files <input type="file" name="files" multiple /></label>
    </p>`;
  if (!("application/json" in content)) return "";
  const example = JSON.stringify(exampleOf(document, part(content, "application/json", "schema")), null, 2);
  return html`<p><textarea name="body" aria-label="Body" spellcheck="false">${example}</textarea></p>`;
};

const bodyWords = (told: JsonObject) => {
  const schema = part(told, "requestBody", "content", "application/json", "schema");
  const data = part(schema, "properties", "data");
  if (Object.keys(schema).length === 0) return "";
  const options = items(data["anyOf"]);
  const shown = options.length > 0 ? options : [Object.keys(data).length === 0 ? schema : data];
  return html`<h3>Body</h3>
    ${shown.map((each) => html`${schemaLink(each)} `)}`;
};

const operationBlock = (document: JsonObject, { method, path, told }: Operation) => {
  const parameters = parametersOf(document, told);
  const summary = textOf(told["summary"]);
  const action = actionOf(told);
  const words = [method, path, summary, action, textOf(told["operationId"])].join(" ").toLowerCase();
  const query = parameters.some((each) => each["in"] === "query");
  return html`<details class="operation" id="${textOf(told["operationId"])}" data-words="${words}">
    <summary><code class="method">${method}</code> <code>${path}</code> <span class="soft">${summary}</span></summary>
    ${action === "" ? "" : html`<p class="soft">Callers have to be allowed <code>${action}</code>.</p>`}
    ${
      parameters.length === 0
        ? ""
        : html`<h3>Parameters</h3>
            <table>
              ${parameters.map(parameterRow)}
            </table>`
    }
    ${bodyWords(told)}
    <h3>Answers</h3>
    <table>
      ${Object.keys(part(told, "responses")).map((status) => answerRow([status, part(told, "responses", status)], document))}
    </table>
    <h3>Try it</h3>
    <form data-method="${method}" data-path="${path}">
      <p>
        ${parameters.filter((each) => each["in"] === "path").map(pathInput)}
        <label ${query ? "" : raw("hidden")}
          >query <input name="query" placeholder="populate=*&amp;sort=createdAt:desc"
        /></label>
      </p>
      ${bodyInput(document, told)}
      <p><button>Send</button></p>
      <output></output>
    </form>
  </details>`;
};

const tagSection = (document: JsonObject, tag: string, operations: readonly Operation[]) =>
  html`<section class="tag">
    <h2>${tag}</h2>
    ${operations
      .filter(({ told }) => Array.isArray(told["tags"]) && told["tags"].includes(tag))
      .map((operation) => operationBlock(document, operation))}
  </section>`;

const propertyRow = ([name, schema]: readonly [string, JsonObject]) =>
  html`<tr>
    <td><code>${name}</code></td>
    <td>${schemaLink(schema)}</td>
  </tr>`;

const schemaBlock = (name: string, schema: JsonObject) => {
  const properties = part(schema, "properties");
  const rows = Object.keys(properties).map((each) => propertyRow([each, part(properties, each)]));
  return html`<details id="schema-${name}">
    <summary><code>${name}</code> <span class="soft">${textOf(schema["description"])}</span></summary>
    ${
      rows.length === 0
        ? html`<p><code>${wordsFor(schema)}</code></p>`
        : html`<table>
            ${rows}
          </table>`
    }
  </details>`;
};

/**
 * The whole page.
 *
 * @param address where the document itself is
 */
export const documentationPage = (document: JsonObject, address: string) => {
  const operations = operationsOf(document);
  const schemas = part(document, "components", "schemas");
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href="data:," />
        <title>API documentation</title>
        ${raw(STYLE_ELEMENT)}
      </head>
      <body>
        <h1>API documentation</h1>
        <p class="soft">
          Tools read <a href="${address}"><code>${address}</code></a
          >.
        </p>
        <header>
          <input id="search" type="search" placeholder="Search" aria-label="Search" />
          <input id="token" type="password" placeholder="Token" aria-label="Token" autocomplete="off" />
          <select id="theme" aria-label="Colours">
            <option value="system">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </header>
        ${items(document["tags"]).map(({ name = "" }) => tagSection(document, textOf(name), operations))}
        <section>
          <h2>Schemas</h2>
          ${Object.keys(schemas).map((name) => schemaBlock(name, part(schemas, name)))}
        </section>
        ${raw(SCRIPT_ELEMENT)}
      </body>
    </html> `;
};
