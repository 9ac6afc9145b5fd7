import { stringLiteral } from "../attributes/literal.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { userModule } from "./user-module.ts";

const byPath = (left: { module: string }, right: { module: string }): number => (left.module < right.module ? -1 : 1);

/** `extensions.ts`: the only generated file that imports code of the user's. */
export const emitExtensions: Emitter = ({ model, toRoot, app }) => {
  const toModule = (file: string): string => userModule(toRoot, file);
  const imports = model.contentTypes.flatMap(({ uid, names, extension }) =>
    extension === undefined ? [] : [{ uid, name: `${names.typeConst}Extension`, module: toModule(extension) }],
  );
  const view = {
    app: app === undefined ? "" : `import app from ${stringLiteral(toModule(app))};`,
    imports: imports.toSorted(byPath).map(({ name, module }) => `import ${name} from ${stringLiteral(module)};`),
    extensions: imports.map(({ uid, name }) => `${stringLiteral(uid)}: ${name},`),
  };
  return [{ path: "extensions.ts", text: render("extensions.ts", view) }];
};
