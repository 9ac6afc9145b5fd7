import path from "node:path";
import type { NextConfig } from "next";

// The generated client is outside of this folder, in that of the content server.
const root = path.join(import.meta.dirname, "../..");

const config: NextConfig = { turbopack: { root }, outputFileTracingRoot: root };

export default config;
