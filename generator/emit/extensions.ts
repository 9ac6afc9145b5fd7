import { stringLiteral } from "../attributes/literal.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { userModule } from "./user-module.ts";

/** `extensions.ts`: the only generated file that imports code of the user's. */
export const emitExtensions: Emitter = ({ model, toRoot, app }) => {
  const moduleOf = (file: string): string => stringLiteral(userModule(toRoot, file));
  const extensions = model.contentTypes.flatMap(({ uid, names, extension }) =>
    extension === undefined
      ? []
      : [{ uid: stringLiteral(uid), name: names.extensionConst, module: moduleOf(extension) }],
  );
  const view = { app: app === undefined ? "" : moduleOf(app), extensions };
  return [{ path: "extensions.ts", text: render("extensions.ts", view) }];
};
