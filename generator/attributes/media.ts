/** Files: a single one in a column, several in a link table. */
import type { MediaAttribute } from "../model/model.ts";
import { commonView, options } from "./common.ts";
import { stringLiteral, valueLiteral } from "./literal.ts";
import type { MediaView } from "./view.ts";

export const mediaView = (attribute: MediaAttribute): MediaView => {
  const { multiple, storage, allowedTypes, required } = attribute;
  return {
    kind: "media",
    ...commonView(attribute, { absent: multiple ? "optional" : "nullish" }),
    multiple,
    allowedTypes: allowedTypes === undefined ? "" : valueLiteral(allowedTypes),
    column: storage?.kind === "column" ? stringLiteral(storage.column) : "",
    link: storage?.kind === "link" ? storage.tableConst : "",
    options: options({ min: multiple && required ? 1 : undefined }),
  };
};
