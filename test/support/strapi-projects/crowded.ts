/** A project of Strapi 4 with code in unusual places, and with files that hold none. */
import { schemaText } from "./schema-text.ts";

const users = "src/extensions/users-permissions";

export const crowdedProject: readonly (readonly [string, string])[] = [
  ["package.json", JSON.stringify({ dependencies: { "@strapi/strapi": "4.25.0", "@strapi/plugin-sentry": "4.25.0" } })],
  [
    "config/plugins.js",
    `module.exports = ({ env }) => ({
  sentry: { enabled: true, config: { dsn: env('DSN') } },
  'users-permissions': { config: { jwtSecret: env('JWT_SECRET', 'not-secret') } },
});
`,
  ],
  [
    "config/server.js",
    `module.exports = ({ env }) => ({
  cron: {
    enabled: env.bool('CRON', false),
    tasks: { nightly: { task() {}, options: { rule: '0 3 * * *' } } },
  },
});
`,
  ],
  [
    "config/middlewares.js",
    `const others = ['https://b.example'];
module.exports = [{ name: 'strapi::cors', config: { origin: ['https://a.example', ...others] } }];
`,
  ],
  [
    "src/index.js",
    `const { warm, cool } = require('./metrics');
module.exports = {
  bootstrap({ strapi }) {
    if (process.env.NODE_ENV === 'production') {
      warm();
    } else {
      cool();
    }
    strapi.db.lifecycles.subscribe({ models: ['plugin::users-permissions.user', 'admin::user'],
      afterCreate({ result }) { strapi.log.info(result.email); },
    });
  },
};
`,
  ],
  [
    "src/metrics.js",
    "const metrics = require('metrics');\nmetrics.start();\nmodule.exports = { warm() {}, cool() {} };\n",
  ],
  ["src/api/note/content-types/note/schema.json", schemaText("note", "notes", { title: { type: "string" } })],
  ["src/api/note/content-types/note/lifecycles.js", "// module.exports = {\n//   beforeCreate() {},\n// };\n"],
  [
    "src/api/note/routes/custom.js",
    `module.exports = {
  routes: [
    { method: 'GET', path: '/notes', handler: 'note.find', config: { policies: ['is-mine'] } },
    { method: 'GET', path: '/notes/:slug', handler: 'note.bySlug' },
  ],
};
`,
  ],
  ["src/api/note/policies/is-mine.js", "module.exports = (ctx) => ctx.state.user !== undefined;\n"],
  ["src/api/task/content-types/task/schema.json", schemaText("task", "tasks", { title: { type: "string" } })],
  [
    "src/api/task/routes/task.js",
    "module.exports = require('@strapi/strapi').factories.createCoreRouter('api::task.task', () => ({ routes: [{}] }));\n",
  ],
  [
    "src/api/task/routes/late.js",
    `module.exports = {
  routes: [
    { method: 'GET', path: '/tasks/late', handler: 'task.late' },
    { method: 'POST', path: '/tasks/open', handler: 'task.open', config: { auth: false } },
    { method: 'GET', path: '/tasks/(.*)', handler: 'task.any' },
  ],
};
`,
  ],
  ["src/api/task/routes/none.js", "module.exports = { routes: [] };\n"],
  [
    "src/api/task/controllers/task.js",
    `const { createCoreController } = require('@strapi/strapi').factories;
module.exports = createCoreController('api::task.task', () => ({
  async find(ctx) { return super.find(ctx); },
}));
`,
  ],
  [
    "src/api/task/services/task.js",
    "class Tasks {\n  constructor() {}\n  async ping() {}\n}\nmodule.exports = new Tasks();\n",
  ],
  ["src/api/health/controllers/health.js", "module.exports = { find(ctx) { ctx.body = 'ok'; } };\n"],
  [
    `${users}/strapi-server.js`,
    `module.exports = (plugin) => {
  plugin.routes['content-api'].routes.push(
    { method: 'POST', path: '/auth/logout', handler: 'auth.logout', config: { prefix: '' } },
  );
  return plugin;
};
`,
  ],
  ["src/extensions/documentation/documentation/1.0.0/full_documentation.json", "{}"],
  ["src/plugins/shop/package.json", "{}"],
  ["src/plugins/shop/admin/tsconfig.json", "{}"],
  ["src/plugins/shop/server/services/index.js", "const data = require('./data');\nmodule.exports = { data };\n"],
  ["src/plugins/shop/server/services/data.js", "module.exports = () => ({ load() {} });\n"],
  ["src/plugins/shop/server/empty.js", "module.exports = ({ strapi }) => {\n  // nothing yet\n};\n"],
  [
    "src/plugins/shop/server/register.js",
    `module.exports = ({ strapi }) => {
  strapi.contentType('plugin::shop.data').lifecycles = { afterUpdate() {} };
};
`,
  ],
  ["src/plugins/shop/server/content-types/data/schema.json", schemaText("data", "data", { a: { type: "string" } })],
];
