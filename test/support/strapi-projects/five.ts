/** A project of Strapi 5 as people have them, in TypeScript, with code in all the places that it may stand in. */
import { schemaText } from "./schema-text.ts";

const localized = { pluginOptions: { i18n: { localized: true } } };

const core = (kind: string, uid: string): string => `import { factories } from '@strapi/strapi';

export default factories.createCore${kind}('${uid}');
`;

export const projectOfFive: readonly (readonly [string, string])[] = [
  [
    "package.json",
    JSON.stringify({
      name: "old",
      dependencies: {
        "@strapi/strapi": "5.54.0",
        "@strapi/plugin-graphql": "5.54.0",
        "@strapi/plugin-users-permissions": "5.54.0",
        "@strapi/provider-upload-aws-s3": "5.54.0",
        "strapi-plugin-populate-deep": "^3.0.1",
      },
    }),
  ],
  [
    "src/api/article/content-types/article/schema.json",
    schemaText(
      "article",
      "articles",
      {
        title: { type: "string", required: true, ...localized },
        slug: { type: "string" },
        reads: { type: "integer" },
        author: { type: "relation", relation: "manyToOne", target: "api::author.author", inversedBy: "articles" },
        place: { type: "customField", customField: "plugin::maps.place" },
        sections: { type: "dynamiczone", components: ["blocks.quote"] },
      },
      localized,
    ),
  ],
  [
    "src/api/author/content-types/author/schema.json",
    schemaText("author", "authors", {
      name: { type: "string" },
      articles: { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" },
    }),
  ],
  [
    "src/api/global/content-types/global/schema.json",
    schemaText("global", "globals", { title: { type: "string" } }, { kind: "singleType" }),
  ],
  [
    "src/components/blocks/quote.json",
    JSON.stringify({ info: { displayName: "Quote" }, attributes: { text: { type: "text" } } }),
  ],
  [
    "src/extensions/users-permissions/content-types/user/schema.json",
    JSON.stringify({ attributes: { nickname: { type: "string" } } }),
  ],
  [
    "src/api/article/content-types/article/lifecycles.ts",
    `import slugify from 'slugify';

export default {
  async beforeCreate(event) {
    const { data } = event.params;
    // */ \`\${x}\` tells who has written it
    data.slug = slugify(data.title);
  },
  afterUpdate(event) {
    strapi.log.info(event.result.title);
  },
  afterFindMany() {},
};
`,
  ],
  [
    "src/api/article/controllers/article.ts",
    `import { factories } from '@strapi/strapi';

export default factories.createCoreController('api::article.article', ({ strapi }) => ({
  async find(ctx) {
    ctx.query = { ...ctx.query, populate: { author: true, sections: { populate: '*' } } };
    return super.find(ctx);
  },
  async findOne(ctx) {
    ctx.query.populate = 'deep';
    return super.findOne(ctx);
  },
  async archive(ctx) {
    ctx.body = await strapi.service('api::article.article').archive();
  },
}));
`,
  ],
  [
    "src/api/article/services/article.ts",
    core("Service", "api::article.article").replace("');", "', () => ({\n  async archive() { return 1; },\n}));"),
  ],
  [
    "src/api/article/routes/article.ts",
    `import { factories } from '@strapi/strapi';

export default factories.createCoreRouter('api::article.article', {
  only: ['find', 'findOne', 'update'],
  config: {
    find: { auth: false, middlewares: ['api::article.populate'] },
    update: { policies: ['is-owner', { name: 'global::is-awake', config: { from: 9 } }] },
  },
});
`,
  ],
  [
    "src/api/article/routes/custom.ts",
    `export default {
  routes: [
    { method: 'GET', path: '/articles/archive', handler: 'article.archive', config: { policies: ['global::is-awake'] } },
  ],
};
`,
  ],
  ["src/api/article/policies/is-owner.ts", "export default (ctx) => ctx.state.user?.id === 1;\n"],
  ["src/policies/is-awake.ts", "export default (ctx, config) => new Date().getHours() > config.from;\n"],
  ["src/api/article/middlewares/populate.ts", "export default () => async (ctx, next) => { await next(); };\n"],
  ["src/middlewares/timer.ts", "export default () => async (ctx, next) => { await next(); };\n"],
  ["src/api/author/controllers/author.ts", core("Controller", "api::author.author")],
  [
    "src/index.ts",
    `export default {
  register({ strapi }) {
    const extensionService = strapi.plugin('graphql').service('extension');
    extensionService.use({ typeDefs: 'type Query { hello: String }' });
    strapi.documents.use((context, next) => next());
    strapi.customFields.register({ name: 'place', plugin: 'maps', type: 'string' });
  },
  async bootstrap({ strapi }) {
    await strapi.query('plugin::users-permissions.role').findMany();
    strapi.db.lifecycles.subscribe({ models: ['api::author.author'], afterCreate() {} });
  },
};
`,
  ],
  [
    "src/extensions/users-permissions/strapi-server.ts",
    `export default (plugin) => {
  plugin.controllers.user.me = async (ctx) => { ctx.body = {}; };
  return plugin;
};
`,
  ],
  ["src/plugins/maps/server/src/index.ts", "export default {};\n"],
  [
    "src/admin/app.tsx",
    `export default { config: { locales: ['de'], theme: { light: {} } }, bootstrap() { console.log(1); } };
`,
  ],
  ["src/utils/dates.ts", "export const today = () => new Date();\n"],
  ["patches/@strapi+strapi+5.54.0.patch", "diff\n"],
  ["public/downloads/list.pdf", "%PDF"],
  ["database/migrations/2024.01.01T00.00.00.names.js", "module.exports = { async up(knex) {} };\n"],
  ["scripts/seed.js", "console.log('seed');\n"],
  [
    "config/server.ts",
    `import cronTasks from './cron-tasks';

export default ({ env }) => ({
  host: env('HOST', '0.0.0.0'),
  port: env.int('PORT', 1337),
  url: 'https://cms.example.com/',
  app: { keys: env.array('APP_KEYS') },
  cron: { enabled: true, tasks: cronTasks },
});
`,
  ],
  [
    "config/cron-tasks.ts",
    `export default {
  cleanUp: {
    task: ({ strapi }) => { strapi.log.info('clean'); },
    options: { rule: '0 0 1 * * 1', tz: 'Europe/Berlin' },
  },
  '*/5 * * * *': async ({ strapi }) => { strapi.log.info('tick'); },
  odd: { task() {}, options: { rule: new Date() } },
};
`,
  ],
  [
    "config/api.ts",
    `import type { Core } from '@strapi/strapi';

const config: Core.Config.Api = {
  rest: {
    prefix: '/content',
    defaultLimit: 30,
    maxLimit: 250,
    withCount: true,
  },
  responses: { privateAttributes: ['createdAt'] },
};

export default config;
`,
  ],
  [
    "config/middlewares.ts",
    `export default ({ env }) => [
  'strapi::logger',
  { name: 'strapi::cors', config: { origin: ['https://a.example', env('FRONT', 'https://b.example')], headers: ['X-A'] } },
  { name: 'strapi::body', config: { jsonLimit: '2mb', formidable: { maxFileSize: 250 * 1024 * 1024 } } },
  'global::timer',
  { resolve: './src/middlewares/timer' },
  { name: 'strapi::query', config: { arrayLimit: 300 } },
  'strapi::public',
];
`,
  ],
  [
    "config/plugins.ts",
    `export default ({ env }) => ({
  graphql: { config: { endpoint: '/gql', defaultLimit: 20, apolloServer: { tracing: true } } },
  upload: {
    config: {
      provider: 'aws-s3',
      providerOptions: {
        s3Options: {
          credentials: { accessKeyId: env('AWS_ACCESS_KEY_ID'), secretAccessKey: env('AWS_ACCESS_SECRET') },
          region: env('AWS_REGION'),
          params: { ACL: 'private', Bucket: env('AWS_BUCKET') },
        },
      },
      sizeLimit: 10 * 1024 * 1024,
      breakpoints: { large: 1200, small: 400 },
    },
  },
  'users-permissions': { config: { jwt: { expiresIn: '7d' }, register: { allowedFields: ['nickname'] } } },
  email: {
    config: {
      provider: 'nodemailer',
      providerOptions: { host: env('SMTP_HOST'), port: 587, auth: { user: env('SMTP_USER'), pass: env('SMTP_PASSWORD') } },
      settings: { defaultFrom: 'hello@example.com' },
    },
  },
  maps: { enabled: true, resolve: './src/plugins/maps' },
});
`,
  ],
  [
    "config/admin.ts",
    "export default ({ env }) => ({ auth: { secret: env('ADMIN_JWT_SECRET') }, preview: { enabled: true } });\n",
  ],
  [
    "config/database.ts",
    "export default ({ env }) => ({ connection: { client: env('DATABASE_CLIENT', 'sqlite') } });\n",
  ],
  ["config/env/production/server.ts", "export default ({ env }) => ({ url: env('PUBLIC_URL'), proxy: true });\n"],
];
