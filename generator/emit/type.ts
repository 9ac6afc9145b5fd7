import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { json, text } from "../attributes/expression.ts";
import { memberLine } from "../attributes/print.ts";
import type { ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

const emitType = (type: ContentType, scope: FileScope): string => {
  const { folder, interface: name, tableConst, typeConst } = type.names;
  const tableFile = `${folder}/table`;
  const owner = { table: scope.generatedValue(tableFile, tableConst), tableFile };
  const { privateFields } = type;
  const view = {
    source: sourceLine(type.file),
    defineContentType: scope.value(modules.contentType, "defineContentType"),
    interface: scope.generatedType(`${folder}/document`, name),
    typeConst,
    properties: [
      memberLine(["uid", text(type.uid)], 2),
      memberLine(["kind", text(type.kind)], 2),
      memberLine(["singularName", text(type.singularName)], 2),
      memberLine(["pluralName", text(type.pluralName)], 2),
      memberLine(["displayName", text(type.displayName)], 2),
      memberLine(["draftAndPublish", json(type.draftAndPublish)], 2),
      memberLine(["localized", json(type.localized)], 2),
      ...(privateFields.length > 0 ? [memberLine(["privateFields", json(privateFields)], 2)] : []),
    ],
    table: owner.table,
    attributes: type.attributes.map((attribute) =>
      memberLine([attribute.name, describe(attribute).descriptor(owner, scope)], 4),
    ),
  };
  return render("type.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/type.ts`: the descriptor, which ties attributes to columns. */
export const emitTypes: Emitter = ({ model, index }) =>
  model.contentTypes.map((type) => {
    const path = `${type.names.folder}/type.ts`;
    return { path, text: emitType(type, fileScope(path, [type.names.typeConst], index)) };
  });
