/** Whether the server ever reads a cookie: then what browsers send along unasked has to be guarded. */
import type { Config } from "./config.ts";

/** In refresh mode a refresh token may stand in a cookie; in legacy mode, and with API tokens, no cookie says who calls. */
export const takesCookies = ({ auth }: Pick<Config, "auth">): boolean => auth.jwt.mode === "refresh";
