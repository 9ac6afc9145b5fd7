/** Who has which document open in the panel. Processes tell each other; nothing is stored. */
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { notify } from "../../database/statement.ts";
import { authenticated } from "../../http/rest/can.ts";
import { router } from "../../http/rest/router.ts";
import { dataOf } from "../../http/rest/write-request.ts";
import type { Feature, Services } from "../../http/services.ts";
import type { PanelConfig } from "./mount.ts";
import { userFor } from "./routes.ts";

const CHANNEL = "galley_panel";

/** Milliseconds after which a user who says nothing more has left. */
const STAY = 45_000;

/** Most documents whose visitors a process remembers. */
const MOST = 10_000;

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
  const places = new Map<string, Map<number, { readonly visitor: Visitor; readonly at: number }>>();
  const expire = (): void => {
    for (const [place, visitors] of places) {
      for (const [id, { at }] of visitors) if (Date.now() - at > STAY) visitors.delete(id);
      if (visitors.size === 0) places.delete(place);
    }
  };
  return {
    record({ place, id, username, leaves }: Visit): void {
      expire();
      const visitors = places.get(place) ?? new Map();
      if (leaves) visitors.delete(id);
      else if (places.has(place) || places.size < MOST)
        places.set(place, visitors.set(id, { visitor: { id, username }, at: Date.now() }));
    },
    /**
     * Whether other processes have to hear of it. A visitor who is alone and stays is of interest to nobody, and every
     * notification takes a transaction id, which outdates all responses in the cache.
     */
    isNews({ place, id, leaves }: Visit): boolean {
      expire();
      const visitors = places.get(place);
      return leaves || visitors?.has(id) !== true || visitors.size > 1;
    },
    others(place: string, id: number): readonly Visitor[] {
      expire();
      return [...(places.get(place)?.values() ?? [])].map(({ visitor }) => visitor).filter((each) => each.id !== id);
    },
  };
};

/** The document that a body names, as one text; its parts are short. */
const placeOf = (caller: Caller, { uid, documentId = "", locale = "" }: Readonly<Record<string, unknown>>): string => {
  const parts = [uid, documentId, locale].map(String);
  if (parts.some((part) => part.length > 200)) throw new ValidationError("uid, documentId or locale is too long");
  if (!caller.can(`${String(uid)}.find`)) throw new ForbiddenError();
  return parts.join(" ");
};

const announce = ({ database }: Services, visit: Visit): Promise<unknown> =>
  notify(database, CHANNEL, JSON.stringify(visit));

/** The route with which a page says that it is open, and learns who else has the document open. */
export const presenceFeature = ({ roles }: PanelConfig): Feature => {
  const visits = createVisits();
  const receive = (payload = "null"): void => {
    const visit: unknown = JSON.parse(payload);
    if (isVisit(visit)) visits.record(visit);
  };
  return {
    tables: [],
    routes: router().post("/panel/presence", authenticated(), async (c) => {
      const services = c.get("services");
      const { user, role } = await userFor(services, c.get("caller"));
      if (!user || role === null || !roles.includes(role)) throw new ForbiddenError();
      const data = dataOf(c);
      const place = placeOf(c.get("caller"), data);
      const visit = { id: user.id, username: user.username, place, leaves: data["leaves"] === true };
      const isNews = visits.isNews(visit);
      visits.record(visit);
      if (isNews) await announce(services, visit);
      return c.json({ data: visits.others(place, user.id) });
    }),
    start: ({ database }) => database.listen(CHANNEL, receive),
  };
};
