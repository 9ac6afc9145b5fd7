import path from "node:path";
import { stringLiteral } from "../attributes/literal.ts";
import type { Emitter } from "./emitter.ts";

/** `extensions.ts`: the only generated file that imports user code. */
export const emitExtensions: Emitter = ({ model, toRoot, app }) => {
  const moduleOf = (file: string): string => {
    const relative = path.posix.join(toRoot, file);
    return stringLiteral(relative.startsWith("../") ? relative : `./${relative}`);
  };
  const extensions = model.contentTypes.flatMap(({ uid, names, extension }) =>
    extension === undefined
      ? []
      : [{ uid: stringLiteral(uid), name: names.extensionConst, module: moduleOf(extension) }],
  );
  // `app` is "" if there is no `app.ts`.
  const view = { app: app === undefined ? "" : moduleOf(app), extensions };
  return [{ path: "extensions.ts", template: "extensions.ts", view }];
};
