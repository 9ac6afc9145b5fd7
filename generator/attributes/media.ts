/** Files: one in a column, several in a link table. */
import type { MediaAttribute } from "../model/model.ts";
import { descriptorFlags, linkMember, modified } from "./common.ts";
import { type AttributeEntry, modules } from "./entry.ts";
import { call, callWith, code, flag, number, object, optional, text } from "./expression.ts";
import { leading } from "./graphql.ts";
import { property } from "./literal.ts";

export const media: AttributeEntry<MediaAttribute> = {
  columns: ({ name, storage }, scope) =>
    storage?.kind === "column" ? [[name, call(scope.value(modules.columns, "toFile"), text(storage.column))]] : [],
  indexes: ({ name, storage }) => (storage?.kind === "column" ? [{ key: name, purpose: "lookup" }] : []),
  descriptor: (attribute, owner, scope) => {
    const { name, multiple, storage } = attribute;
    return object([
      ["type", text("media")],
      ["column", owner && storage?.kind === "column" ? code(property(owner.table, name)) : undefined],
      ["multiple", flag(multiple)],
      [
        "link",
        owner && storage?.kind === "link" ? code(scope.generatedValue(owner.tableFile, storage.tableConst)) : undefined,
      ],
      ...descriptorFlags(attribute),
    ]);
  },
  validator: (attribute, scope) =>
    modified(
      attribute,
      callWith(
        scope.value(modules.validators, attribute.multiple ? "fileIds" : "fileId"),
        [],
        object([
          ["types", optional(attribute.allowedTypes)],
          ["min", attribute.multiple && attribute.required ? number(1) : undefined],
        ]),
      ),
      { absent: attribute.multiple ? "optional" : "nullish" },
      scope,
    ),
  document: (attribute, scope) =>
    linkMember(attribute, () => {
      const file = scope.type(modules.document, "File");
      return attribute.multiple ? [`${file}[]`] : [file, "null"];
    }),
  graphql: (attribute) => leading(attribute.multiple ? "files" : "file", attribute, [], true),
};
