export default defineNuxtConfig({
  modules: ["@nuxtjs/strapi"],
  telemetry: false,
  strapi: { url: process.env.CMS_URL, version: "v5" },
});
