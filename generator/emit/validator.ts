import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import type { ContentType } from "../model/model.ts";
import { declaration } from "./declaration.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

const emitValidator = (type: ContentType, scope: FileScope): string => {
  const { validatorConst } = type.names;
  const make = scope.value(modules.validators, "validator");
  const members = type.attributes.map((attribute) => [attribute.name, describe(attribute).validator(scope)] as const);
  const view = {
    source: sourceLine(type.file),
    validatorConst,
    make,
    validator: declaration(validatorConst, make, members),
  };
  return render("validator.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/validator.ts`: what a body must satisfy. */
export const emitValidators: Emitter = ({ model, index }) =>
  model.contentTypes.map((type) => {
    const path = `${type.names.folder}/validator.ts`;
    return { path, text: emitValidator(type, fileScope(path, [type.names.validatorConst], index)) };
  });
