// `node --import log-modules.mjs` appends the address of every module that is loaded to the file LOADED_MODULES.
import { appendFileSync } from "node:fs";
import { register } from "node:module";

if (process.env.LOADED_MODULES) register(import.meta.url);

export const load = (url, context, next) => {
  appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
  return next(url, context);
};
