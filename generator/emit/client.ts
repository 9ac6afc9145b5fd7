import { propertyKey, stringLiteral } from "../attributes/literal.ts";
import { camelCase } from "../model/names.ts";
import { Namespace } from "../model/namespace.ts";
import { hasRoutes, pathOf } from "./content-type.ts";
import type { Emitter } from "./emitter.ts";

/** Members of every client; and `then`, as the language would treat the client as a promise. */
const RESERVED = ["auth", "files", "locales", "users", "request", "then"];

/** `client/index.ts`: a typed client for front ends. */
export const emitClient: Emitter = ({ model, client = true }) => {
  if (!client) return [];
  const names = new Namespace(RESERVED);
  const parts = model.contentTypes.filter(hasRoutes).map((type) => {
    const path = pathOf(type);
    const name = camelCase(path);
    return {
      name: propertyKey(names.take(name, `${name}Type`)),
      uid: stringLiteral(type.uid),
      path: stringLiteral(path),
      single: type.kind === "singleType",
      draftAndPublish: type.draftAndPublish,
      schedule: type.schedule,
      history: type.history !== undefined,
    };
  });
  const view = { types: model.contentTypes.map((type) => type.names), parts };
  return [{ path: "client/index.ts", template: "client.ts", view }];
};
