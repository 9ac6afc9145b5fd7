import { Hono } from "hono";
import type { AppEnv } from "../context.ts";

/** An empty router; generated files chain their routes onto it. */
export const router = (): Hono<AppEnv> => new Hono<AppEnv>();
