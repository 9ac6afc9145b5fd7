/** The routes for deliveries, below the REST prefix. */
import { ValidationError } from "../base/errors.ts";
import { can } from "../http/rest/can.ts";
import { type Router, router } from "../http/rest/router.ts";
import { listDeliveries, replay } from "./administration.ts";

const STATES = ["pending", "done", "parked"];

const filterOf = (query: Readonly<Record<string, string>>) => {
  const { consumer, state, event } = query;
  if (state !== undefined && !STATES.includes(state)) {
    throw new ValidationError(`state must be one of ${STATES.join(", ")}`);
  }
  return { consumer, state, event };
};

export const deliveryRoutes = (): Router =>
  router()
    .get("/events/deliveries", can("plugin::events.delivery.find"), async (c) => {
      const { database } = c.get("services");
      return c.json({ data: await listDeliveries(database, filterOf(c.req.query())) });
    })
    .post("/events/deliveries/replay", can("plugin::events.delivery.replay"), async (c) => {
      const { database } = c.get("services");
      return c.json({ data: { replayed: await replay(database, filterOf(c.req.query())) } });
    });
