/** Documents with history that are published and unpublished on schedule: once each, and every write is kept. */
import { setTimeout as wait } from "node:timers/promises";
import type { Area, Session } from "./area.ts";
import type { Contradiction } from "./history.ts";
import { dig, list, text } from "./json.ts";

const PATH = "/api/announcements";
/** How many are scheduled between two settlements: the versions of each are read one by one. */
const SCHEDULED = 12;
const WRITES = 4;

/** The maximum milliseconds until everything due is done, once every process serves again. */
const PATIENCE = 60_000;

interface Announcement {
  readonly id: string;
  /** The acknowledged values, in order. */
  readonly values: number[];
  ends: boolean;
}

interface Seen {
  /** The state of the last schedule; undefined while one waits. */
  readonly last: string | undefined;
  readonly published: unknown;
  readonly draft: unknown;
  /** `action value` of each kept version, oldest first. */
  readonly versions: readonly string[];
}

const inSome = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

const found = (lost: boolean, { id }: Announcement, explanation: string): Contradiction => ({
  name: `announcement ${id}`,
  lost,
  explanation,
});

/** What contradicts the acknowledged writes and schedules of an announcement. */
const faultsOf = (one: Announcement, { last, published, draft, versions }: Seen): readonly Contradiction[] => {
  const value = one.values.at(-1);
  const kept = (action: string): number => versions.filter((each) => each.startsWith(`${action} `)).length;
  const lacking = one.values.filter(
    (each) => !versions.some((version) => /^(?:create|update) /.test(version) && version.endsWith(` ${each}`)),
  );
  const all = versions.join(", ");
  return [
    ...(last === undefined ? [found(true, one, "its schedule was not carried out")] : []),
    ...(last === undefined || last === "done" ? [] : [found(true, one, `its schedule ended as ${last}`)]),
    ...(draft === value ? [] : [found(true, one, `its draft is ${text(draft)} after ${value}`)]),
    ...(published === (one.ends ? undefined : value)
      ? []
      : [found(true, one, `published is ${text(published)}, not ${value}`)]),
    ...(lacking.length > 0 ? [found(true, one, `no version has ${lacking.join(", ")}: ${all}`)] : []),
    ...(kept("publish") === 1 && kept("unpublish") === (one.ends ? 1 : 0)
      ? []
      : [found(false, one, `its versions: ${all}`)]),
  ];
};

const get = async (session: Session, path: string): Promise<unknown> =>
  (await session.ask("GET announcement", { method: "GET", path: `${PATH}/${path}` })).body;

const versionsOf = async (session: Session, id: string): Promise<readonly string[]> => {
  const answer = await get(session, `${id}/versions?pagination[pageSize]=100`);
  const versions: string[] = [];
  for (const each of list(dig(answer, "data")).toReversed()) {
    const kept = await get(session, `${id}/versions/${text(dig(each, "id"))}`);
    versions.push(`${text(dig(each, "action"))} ${text(dig(kept, "data", "value"))}`);
  }
  return versions;
};

const look = async (session: Session, { id }: Announcement): Promise<Seen> => {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const draft = await get(session, `${id}?status=draft`);
    const plan = dig(draft, "meta", "schedule");
    const isWaiting = dig(plan, "publishAt") !== null || dig(plan, "unpublishAt") !== null;
    if (!isWaiting || Date.now() > until) {
      const published = dig(await get(session, id), "data", "value");
      const last = isWaiting ? undefined : text(dig(plan, "last", "state"));
      return { last, published, draft: dig(draft, "data", "value"), versions: await versionsOf(session, id) };
    }
    await wait(50);
  }
};

export const createAnnouncements = (): Area => {
  /** Those that nobody is writing to. One whose last write has an unknown outcome never comes back. */
  const free: Announcement[] = [];
  const scheduled = new Map<Announcement, Seen | undefined>();
  let values = 0;

  const write = async (session: Session, one: Announcement | undefined): Promise<void> => {
    const value = (values += 1);
    const [method, path] = one ? ["PUT", `${PATH}/${one.id}?status=draft`] : ["POST", `${PATH}?status=draft`];
    const result = await session.ask(`${method} announcement`, {
      method,
      path,
      body: JSON.stringify({ data: { value } }),
    });
    if (one && result.outcome === "none") free.push(one);
    const id = dig(result.body, "data", "documentId");
    if (result.outcome !== "done" || typeof id !== "string") return;
    const written = one ?? { id, values: [], ends: false };
    written.values.push(value);
    free.push(written);
  };

  const schedule = async (session: Session, one: Announcement): Promise<void> => {
    const [publishAt, later] = [1500 + session.random.below(1500), session.random.below(1000)];
    const ends = session.random.chance(0.4);
    const data = { publishAt: inSome(publishAt), ...(ends ? { unpublishAt: inSome(publishAt + later + 5) } : {}) };
    const call = { method: "POST", path: `${PATH}/${one.id}/actions/schedule`, body: JSON.stringify({ data }) };
    // A server that stood still may be asked for an instant that has passed.
    const { outcome } = await session.ask("POST schedule", call, [400, 404]);
    if (outcome === "none" || outcome === "missing") free.push(one);
    if (outcome !== "done") return;
    one.ends = ends;
    scheduled.set(one, undefined);
  };

  return {
    prepare: (session) => write(session, undefined),
    async act(session) {
      const one = session.random.chance(0.3) ? undefined : free.shift();
      if (!one) return write(session, undefined);
      if (one.values.length < WRITES && session.random.chance(0.6)) return write(session, one);
      if (scheduled.size < SCHEDULED) return schedule(session, one);
      await versionsOf(session, one.id);
      free.push(one);
    },
    async readAll(session) {
      for (const one of scheduled.keys()) scheduled.set(one, await look(session, one));
    },
    settle() {
      const contradictions = [...scheduled].flatMap(([one, seen]) => (seen ? faultsOf(one, seen) : []));
      scheduled.clear();
      return { contradictions, undecided: 0 };
    },
  };
};
