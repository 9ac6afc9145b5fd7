/** Whether the server reads cookies. If so, it must guard against cross-site request forgery. */
import type { Config } from "./config.ts";

/**
 * In refresh mode, the refresh token may be in a cookie. In legacy mode, and for API tokens, cookies do not identify
 * callers.
 */
export const takesCookies = ({ auth }: Pick<Config, "auth">): boolean => auth.jwt.mode === "refresh";
