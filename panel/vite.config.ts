import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const root = import.meta.dirname;

export default defineConfig({
  root,
  // The server writes the configured path in place of this.
  base: "./",
  plugins: [react()],
  resolve: { alias: { "galley-cms/client": path.join(root, "../runtime/client/index.ts") } },
  build: {
    outDir: path.join(root, "../dist/panel"),
    emptyOutDir: true,
    // Everything that is loaded is a file of our own: the policy of the page allows nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
});
