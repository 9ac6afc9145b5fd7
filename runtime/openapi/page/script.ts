/** What the page does in the browser: searching, sending requests, light and dark. */
import { createHash } from "node:crypto";

const SCRIPT = String.raw`
"use strict";
const find = (selector) => document.querySelector(selector);
const operations = [...document.querySelectorAll("details.operation")];

const search = find("#search");
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const operation of operations) operation.hidden = !words.every((word) => operation.dataset.words.includes(word));
  for (const tag of document.querySelectorAll("section.tag"))
    tag.hidden = tag.querySelector("details.operation:not([hidden])") === null;
});

// The token stays in this window, and is gone with it.
const token = find("#token");
token.value = sessionStorage.getItem("token") ?? "";
token.addEventListener("input", () => sessionStorage.setItem("token", token.value));

const theme = find("#theme");
const show = (name) => {
  document.documentElement.dataset.theme = name;
  theme.value = name;
};
show(localStorage.getItem("theme") ?? "system");
theme.addEventListener("change", () => {
  localStorage.setItem("theme", theme.value);
  show(theme.value);
});

const addressOf = (form) => {
  const inputs = [...form.querySelectorAll("input[data-in]")];
  const path = inputs
    .filter((input) => input.dataset.in === "path")
    .reduce((at, input) => at.replace("{" + input.name + "}", encodeURIComponent(input.value)), form.dataset.path);
  const query = form.elements.namedItem("query").value.replace(/^\?/, "");
  return query === "" ? path : path + "?" + query;
};

const bodyOf = (form, headers) => {
  const files = form.elements.namedItem("files");
  if (files) {
    const data = new FormData();
    for (const file of files.files) data.append("files", file);
    return data;
  }
  const body = form.elements.namedItem("body");
  if (!body || body.value.trim() === "") return undefined;
  headers["Content-Type"] = "application/json";
  return body.value;
};

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const send = async (form) => {
  const headers = {};
  if (token.value.trim() !== "") headers.Authorization = "Bearer " + token.value.trim();
  const body = bodyOf(form, headers);
  const address = addressOf(form);
  const output = form.querySelector("output");
  output.textContent = "…";
  try {
    const answer = await fetch(address, { method: form.dataset.method, headers, body });
    const text = pretty(await answer.text());
    output.textContent = form.dataset.method + " " + address + "\n" + answer.status + " " + answer.statusText + "\n\n" + text;
  } catch (error) {
    output.textContent = String(error);
  }
};

for (const form of document.querySelectorAll("form[data-method]"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });

// An address that leads to an operation opens it.
const open = () => {
  const target = location.hash === "" ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener("hashchange", open);
open();
`;

/** With exactly the text that the policy knows. */
export const SCRIPT_ELEMENT = `<script>${SCRIPT}</script>`;

/** How a policy names the script. */
export const SCRIPT_SOURCE = `'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`;
