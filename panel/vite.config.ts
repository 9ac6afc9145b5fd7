import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const root = import.meta.dirname;

export default defineConfig({
  root,
  // The server replaces this with the configured path.
  base: "./",
  plugins: [react()],
  resolve: { alias: { "galley-cms/client": path.join(root, "../runtime/client/index.ts") } },
  build: {
    outDir: path.join(root, "../dist/panel"),
    emptyOutDir: true,
    // Every asset must be a file of our own: the page's content security policy allows nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
});
