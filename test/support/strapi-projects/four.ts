/** A project of Strapi 4, in JavaScript. */
import { schemaText } from "./schema-text.ts";

export const projectOfFour: readonly (readonly [string, string])[] = [
  ["package.json", JSON.stringify({ name: "older", dependencies: { "@strapi/strapi": "^4.25.24" } })],
  ["src/api/blog/content-types/post/schema.json", schemaText("post", "posts", { title: { type: "string" } })],
  ["src/api/blog/content-types/topic/schema.json", schemaText("topic", "topics", { name: { type: "string" } })],
  [
    "src/api/blog/content-types/post/lifecycles.js",
    `'use strict';

module.exports = {
  beforeUpdate(event) { event.params.data['title'] = 'x'; },
};
`,
  ],
  [
    "src/api/blog/controllers/post.js",
    `'use strict';

const { createCoreController } = require('@strapi/strapi').factories;

module.exports = createCoreController('api::blog.post');
`,
  ],
  ["config/server.js", "module.exports = ({ env }) => ({ host: env('HOST'), cron: { tasks: require('./tasks') } });\n"],
  ["config/tasks.js", "module.exports = { '0 1 * * *': () => {} };\n"],
  ["config/api.json", '{ "rest": { "maxLimit": 50, "strictParams": true } }'],
  [
    "config/plugins.js",
    `module.exports = () => {
  const settings = { config: { jwtSecret: process.env.OLD_SECRET, ratelimit: { enabled: false } } };
  return { 'users-permissions': settings, email: { config: { provider: 'sendgrid', providerOptions: { apiKey: 'SG.secret' } } } };
};
`,
  ],
];
