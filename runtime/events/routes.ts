/** The routes for webhooks and deliveries, below the REST prefix. */
import type { Context } from "hono";
import { z } from "zod";
import { BadRequestError, NotFoundError, ValidationError } from "../base/errors.ts";
import { isRecord } from "../base/is-record.ts";
import { type EventsConfig, webhookConfig } from "../config/events.ts";
import type { AppEnv } from "../http/context.ts";
import { checked } from "../http/rest/checked.ts";
import { can, type Router, router } from "../http/rest/router.ts";
import {
  type Acting,
  addWebhook,
  listDeliveries,
  listWebhooks,
  newSecret,
  pauseWebhook,
  removeWebhook,
  replay,
  testWebhook,
} from "./administration.ts";

export const deliveryFilter = z.object({
  consumer: z.string().optional(),
  state: z.enum(["pending", "done", "parked"], "must be one of pending, done, parked").optional(),
  event: z.string().optional(),
});

export const deliveryQuery = deliveryFilter.extend({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  after: z
    .string()
    .regex(/^\d{1,18}:./, "must be the `next` of a page")
    .optional(),
});

const actingIn = (c: Context<AppEnv>): Acting => {
  const { database, recorders } = c.get("services");
  return { database, recorders, by: c.get("caller") };
};

const missing = (): NotFoundError => new NotFoundError("There is no webhook with this name");

const webhookOf = async (c: Context<AppEnv>, config: EventsConfig, name: string) =>
  (await listWebhooks(c.get("services").database, config)).find((each) => each.name === name);

const isDeclared = ({ webhooks }: EventsConfig, name: string): boolean => webhooks.some((each) => each.name === name);

/** What a new webhook may say of itself: it gets its secret here. */
export const newWebhook = webhookConfig.omit({ secret: true, enabled: true });

const create = async (c: Context<AppEnv>, config: EventsConfig): Promise<Response> => {
  const body = c.get("body");
  const secret = newSecret();
  const webhook = { ...checked(newWebhook, isRecord(body) ? body["data"] : undefined), secret, enabled: true };
  if (isDeclared(config, webhook.name) || !(await addWebhook(actingIn(c), webhook)))
    throw new ValidationError("name is taken");
  return c.json({ data: { ...(await webhookOf(c, config, webhook.name)), secret } }, 201);
};

const remove = async (c: Context<AppEnv>, config: EventsConfig, name: string): Promise<Response> => {
  if (isDeclared(config, name)) throw new BadRequestError("This webhook is defined in cms.config.ts");
  if (!(await removeWebhook(actingIn(c), name))) throw missing();
  return c.body(null, 204);
};

const test = async (c: Context<AppEnv>, config: EventsConfig, name: string): Promise<Response> => {
  const outcome = await testWebhook(c.get("services").database, config, name);
  if (!outcome) throw missing();
  const { isDone, status = null, error = null, milliseconds } = outcome;
  return c.json({ data: { isDone, status, error, milliseconds } });
};

const setPaused = async (c: Context<AppEnv>, config: EventsConfig, name: string): Promise<Response> => {
  const isPaused = c.req.path.endsWith("/pause");
  if (!(await webhookOf(c, config, name))) throw missing();
  await pauseWebhook(actingIn(c), name, isPaused);
  return c.json({ data: { name, isPaused } });
};

export const eventRoutes = (config: EventsConfig): Router => {
  const pause = can("plugin::events.webhook.pause");
  const path = "/events/webhooks";
  return router()
    .get(path, can("plugin::events.webhook.list"), async (c) =>
      c.json({ data: await listWebhooks(c.get("services").database, config) }),
    )
    .post(path, can("plugin::events.webhook.create"), (c) => create(c, config))
    .delete(`${path}/:name`, can("plugin::events.webhook.delete"), (c) => remove(c, config, c.req.param("name")))
    .post(`${path}/:name/test`, can("plugin::events.webhook.test"), (c) => test(c, config, c.req.param("name")))
    .post(`${path}/:name/pause`, pause, (c) => setPaused(c, config, c.req.param("name")))
    .post(`${path}/:name/resume`, pause, (c) => setPaused(c, config, c.req.param("name")))
    .get("/events/deliveries", can("plugin::events.delivery.find"), async (c) => {
      const { data, next } = await listDeliveries(c.get("services").database, checked(deliveryQuery, c.req.query()));
      return c.json({ data, meta: { next } });
    })
    .post("/events/deliveries/replay", can("plugin::events.delivery.replay"), async (c) => {
      const filter = checked(deliveryFilter, c.req.query());
      return c.json({ data: { replayed: await replay(actingIn(c), filter) } });
    });
};
