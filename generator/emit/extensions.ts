import path from "node:path";
import { stringLiteral } from "../attributes/literal.ts";
import type { ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";

const byPath = (left: { module: string }, right: { module: string }): number => (left.module < right.module ? -1 : 1);

/** `extensions.ts`: the only generated file that imports code of the user's. */
export const emitExtensions: Emitter = ({ model, toRoot }) => {
  const extended = model.contentTypes.filter(({ extended }) => extended);
  const specifier = ({ file }: ContentType): string => {
    const relative = path.posix.join(toRoot, path.posix.dirname(file), "extension.ts");
    return relative.startsWith("../") ? relative : `./${relative}`;
  };
  const imports = extended.map((type) => ({ name: `${type.names.typeConst}Extension`, module: specifier(type) }));
  const view = {
    imports: imports.toSorted(byPath).map(({ name, module }) => `import ${name} from ${stringLiteral(module)};`),
    extensions: extended.map(({ uid, names }) => `${stringLiteral(uid)}: ${names.typeConst}Extension,`),
  };
  return [{ path: "extensions.ts", text: render("extensions.ts", view) }];
};
