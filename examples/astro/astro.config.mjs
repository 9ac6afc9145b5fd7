import node from "@astrojs/node";
import { defineConfig } from "astro/config";

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  redirects: { "/": "/en" },
  // Forms are taken from pages of these hosts: add that of the site.
  security: { allowedDomains: [{ hostname: "localhost" }] },
});
