import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import type { Attribute, ContentType } from "../model/model.ts";
import { type Declaration, declaration } from "./declaration.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

interface Described {
  readonly attributes: readonly Attribute[];
  readonly schemaConst: string;
}

/** The Zod schema of a content type or component; `spread` holds the members that all of its kind have. */
export const schemaDeclaration = (
  { attributes, schemaConst }: Described,
  scope: FileScope,
  spread?: string,
): Declaration => {
  const members = attributes.map((attribute) => [attribute.name, describe(attribute).validator(scope)] as const);
  const isConditional = attributes.some(({ condition }) => condition !== undefined);
  const wrap = isConditional ? scope.value(modules.validators, "conditional") : undefined;
  return declaration(schemaConst, `${scope.value(modules.zod, "z")}.object`, members, { wrap, spread });
};

const emitValidator = ({ file, names, attributes }: ContentType, scope: FileScope): string => {
  const { schemaConst, input } = names;
  const view = {
    source: sourceLine(file),
    schemaConst,
    schema: schemaDeclaration({ attributes, schemaConst }, scope),
    input,
    inputType: `${scope.value(modules.zod, "z")}.input<typeof ${schemaConst}>`,
  };
  return render("validator.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/validator.ts`: what a published document must satisfy, and the type of what bodies hold. */
export const emitValidators: Emitter = ({ model, index }) =>
  model.contentTypes.map((type) => {
    const path = `${type.names.folder}/validator.ts`;
    const declared = [type.names.schemaConst, type.names.input];
    return { path, text: emitValidator(type, fileScope(path, declared, index)) };
  });
