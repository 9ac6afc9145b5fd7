/** Files: a single one in a column, several in a link table. */
import type { MediaAttribute } from "../model/model.ts";
import { commonView, options } from "./common.ts";
import { stringLiteral, valueLiteral } from "./literal.ts";

export const mediaView = (attribute: MediaAttribute) => {
  const { multiple, storage, allowedTypes, searched, required } = attribute;
  return {
    kind: "media" as const,
    ...commonView(attribute, { absent: multiple ? "optional" : "nullish" }),
    multiple,
    searched,
    /** The accepted kinds of files; "" for all. */
    allowedTypes: allowedTypes === undefined ? "" : valueLiteral(allowedTypes),
    /** The column's name, or the link table's constant. */
    column: storage?.kind === "column" ? stringLiteral(storage.column) : "",
    link: storage?.kind === "link" ? storage.tableConst : "",
    options: options({ min: multiple && required ? 1 : undefined }),
  };
};
