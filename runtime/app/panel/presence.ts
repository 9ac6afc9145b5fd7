/** Who has which document open in the panel. Processes tell each other; nothing is stored. */
import { LRUCache } from "lru-cache";
import { ForbiddenError, NotFoundError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { notify } from "../../database/database.ts";
import { isHidden } from "../../documents/operations/guard.ts";
import type { OperationContext } from "../../documents/operations/index.ts";
import type { Feature } from "../../http/context.ts";
import { contextOf } from "../../http/rest/exchange.ts";
import { authenticated, type Router } from "../../http/rest/router.ts";
import { dataOf } from "../../http/rest/write.ts";
import type { Data } from "../../schema/validation/check.ts";
import type { PanelConfig } from "./mount.ts";
import { userFor } from "./routes.ts";

const CHANNEL = "galley_panel";

/** Milliseconds after which a user who says nothing more has left. */
const STAY = 45_000;

/** Most documents whose visitors a process remembers, and most visitors of one. */
const MOST = 10_000;
const MOST_VISITORS = 100;

interface Visitor {
  readonly id: number;
  readonly username: string;
}

interface Visit extends Visitor {
  readonly place: string;
  readonly leaves: boolean;
}

const isVisit = (value: unknown): value is Visit =>
  isRecord(value) && typeof value["place"] === "string" && typeof value["id"] === "number";

/** The visitors of each place, as far as this process has heard. */
const createVisits = () => {
  const places = new LRUCache<string, LRUCache<number, Visitor>>({ max: MOST });
  const visitorsOf = (place: string): LRUCache<number, Visitor> =>
    places.get(place) ?? new LRUCache({ max: MOST_VISITORS, ttl: STAY, perf: Date });
  return {
    record({ place, id, username, leaves }: Visit): void {
      const visitors = visitorsOf(place);
      if (leaves) visitors.delete(id);
      else places.set(place, visitors.set(id, { id, username }));
    },
    /**
     * Whether other processes have to hear of it. A visitor who is alone and stays is of interest to nobody, and every
     * notification takes a transaction id, which outdates all responses in the cache.
     */
    isNews({ place, id, leaves }: Visit): boolean {
      const ids = [...visitorsOf(place).keys()];
      return leaves || ids.length > 1 || !ids.includes(id);
    },
    others: (place: string, id: number): readonly Visitor[] =>
      [...visitorsOf(place).values()].filter((each) => each.id !== id),
  };
};

/** The document that a body names, as one text; its parts are short. The caller may read it. */
const placeOf = async (context: OperationContext, { uid, documentId = "", locale = "" }: Data): Promise<string> => {
  const { caller, services } = context;
  const parts = [uid, documentId, locale].map(String);
  if (parts.some((part) => part.length > 200)) throw new ValidationError("uid, documentId or locale is too long");
  const [type = "", id = ""] = parts;
  if (!services.registry.has(type) || !caller.can(`${type}.find`)) throw new ForbiddenError();
  if (id !== "" && (await isHidden(context, services.registry.contentType(type), id))) throw new NotFoundError();
  return parts.join(" ");
};

/** Adds the route with which a page says that it is open, and learns who else has the document open. */
export const withPresence = (routes: Router, { roles }: PanelConfig): Pick<Feature, "routes" | "start"> => {
  const visits = createVisits();
  const receive = (payload = "null"): void => {
    const visit: unknown = JSON.parse(payload);
    if (isVisit(visit)) visits.record(visit);
  };
  return {
    routes: routes.post("/panel/presence", authenticated(), async (c) => {
      const context = contextOf(c);
      const { services, caller } = context;
      const { user, role } = await userFor(services, caller);
      if (!user || role === null || !roles.includes(role)) throw new ForbiddenError();
      const data = dataOf(c);
      const place = await placeOf(context, data);
      const visit = { id: user.id, username: user.username, place, leaves: data["leaves"] === true };
      const isNews = visits.isNews(visit);
      visits.record(visit);
      if (isNews) await notify(services.database, CHANNEL, JSON.stringify(visit));
      return c.json({ data: visits.others(place, user.id) });
    }),
    start: ({ database }) => database.listen(CHANNEL, receive),
  };
};
