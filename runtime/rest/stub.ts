import type { Handler } from "hono";
import type { ContentType } from "../content-type.ts";
import type { AppEnv } from "./context.ts";
const no =
  (_type: ContentType): Handler<AppEnv> =>
  (c) =>
    c.text("no", 501);
export const create = no,
  remove = no,
  removeSingle = no,
  update = no,
  updateSingle = no;
