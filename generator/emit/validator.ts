import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { memberLine } from "../attributes/print.ts";
import type { ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

const emitValidator = (type: ContentType, scope: FileScope): string => {
  const view = {
    source: sourceLine(type.file),
    validator: scope.value(modules.validators, "validator"),
    validatorConst: type.names.validatorConst,
    attributes: type.attributes.map((attribute) =>
      memberLine([attribute.name, describe(attribute).validator(scope)], 2),
    ),
  };
  return render("validator.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/validator.ts`: what a body must satisfy. */
export const emitValidators: Emitter = ({ model, index }) =>
  model.contentTypes.map((type) => {
    const path = `${type.names.folder}/validator.ts`;
    return { path, text: emitValidator(type, fileScope(path, [type.names.validatorConst], index)) };
  });
