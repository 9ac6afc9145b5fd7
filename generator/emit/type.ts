import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { code, expanded, json, text } from "../attributes/expression.ts";
import type { ContentType } from "../model/model.ts";
import { declaration } from "./declaration.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

const emitType = (type: ContentType, scope: FileScope): string => {
  const { privateFields } = type;
  const { folder, interface: name, tableConst, typeConst } = type.names;
  const tableFile = `${folder}/table`;
  const owner = { table: scope.generatedValue(tableFile, tableConst), tableFile };
  const define = scope.value(modules.contentType, "defineContentType");
  const interfaceName = scope.generatedType(`${folder}/document`, name);
  const attributes = type.attributes.map(
    (attribute) => [attribute.name, describe(attribute).descriptor(owner, scope)] as const,
  );
  const view = {
    source: sourceLine(type.file),
    typeConst,
    type: declaration(typeConst, `${define}<${interfaceName}>`, [
      ["uid", text(type.uid)],
      ["kind", text(type.kind)],
      ["singularName", text(type.singularName)],
      ["pluralName", text(type.pluralName)],
      ["draftAndPublish", json(type.draftAndPublish)],
      ["localized", json(type.localized)],
      ...(privateFields.length > 0 ? [["privateFields", json(privateFields)] as const] : []),
      ["table", code(owner.table)],
      ["attributes", expanded(attributes)],
    ]),
  };
  return render("type.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/type.ts`: the descriptor, which ties attributes to columns. */
export const emitTypes: Emitter = ({ model, index }) =>
  model.contentTypes.map((type) => {
    const path = `${type.names.folder}/type.ts`;
    return { path, text: emitType(type, fileScope(path, [type.names.typeConst], index)) };
  });
