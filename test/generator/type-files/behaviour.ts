/** What an application does, step by step, as texts that do not depend on time or chance. */
import { printSchema } from "graphql";
import { type Caller, system } from "../../../runtime/access/caller.ts";
import type { Application } from "../../../runtime/app/application.ts";
import { grantableActions } from "../../../runtime/app/grantable-actions.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import type { Database, Session } from "../../../runtime/database/database.ts";
import { create, publish, update } from "../../../runtime/documents/operations/index.ts";
import { createGraphqlSchema, declarationsOf } from "../../../runtime/graphql/create-schema.ts";
import type { Services } from "../../../runtime/http/context.ts";
import { describeTypes } from "../../../runtime/http/rest/schema-routes.ts";
import { jsonList, parseQuery, readMany } from "../../../runtime/query/index.ts";
import type { Attribute, ContentType, Field, Uid } from "../../../runtime/schema/content-type.ts";
import { recording } from "../../support/database.ts";
import { emptyDatabase, testServices } from "../../support/services.ts";
import { bodyFor, fileIds } from "./bodies.ts";

const config = {
  locales: { default: "en", codes: ["en", "de"] },
  auth: { passwords: { rounds: 4 } },
  search: { engine: "postgres" as const, zoneFilters: true },
};
const MIMES: Readonly<Record<string, string>> = {
  images: "image/png",
  videos: "video/mp4",
  audios: "audio/mpeg",
  files: "text/plain",
};
const caller: Caller = { kind: "token", can: () => true };

/** Files of each kind, for media attributes. */
const FILES = Object.entries(fileIds)
  .flatMap(([kind, ids]) => ids.map((id) => [kind, id] as const))
  .map(
    ([
      kind,
      id,
    ]) => `insert into files (id, document_id, created_at, updated_at, name, hash, ext, mime, size, url, provider)
      overriding system value
      values (${id}, '${`${kind}${id}`.padEnd(24, "0")}', now(), now(), 'a${id}', 'a', '.a', '${MIMES[kind]}', 1, '/uploads/a.a', 'local');`,
  )
  .join("");

/** Ends the transaction that everything happens in. */
class Undone extends Error {}

/** Ids, times and hashes in an answer or error are replaced: they differ from run to run. */
const lasting = (text: string): string =>
  text
    .replaceAll(/\b[a-z][a-z0-9]{23}\b/g, "documentId")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "time")
    .replaceAll(/(id\\*":)\d+/g, "$10");

/** Every step is one observation: its statements, and what it answered or why it was refused. */
type Step = () => unknown;

const observe = async (session: Pick<Session, "script">, step: Step, statements: string[]): Promise<string> => {
  statements.length = 0;
  await session.script("savepoint step");
  const answer = await Promise.resolve()
    .then(step)
    .catch(async (error: unknown) => {
      await session.script("rollback to savepoint step");
      return `${String(error)} ${JSON.stringify(error)}`;
    });
  return lasting(JSON.stringify([statements, answer ?? null]));
};

const filtersOn = (name: string, attribute: Attribute | Field): readonly string[] => {
  switch (attribute.type) {
    case "relation":
    case "media":
      return [`filters[${name}][id][$gt]=0`, `populate[${name}]=true`];
    case "component":
      return [`populate[${name}][populate]=*`, `filters[${name}][id]=0`];
    case "dynamiczone":
      return [`populate[${name}][populate]=*`, `filters[${name}][__component][$notNull]=true`];
    default:
      return [`filters[${name}][$notNull]=true&sort=${name}&fields=${name}`];
  }
};

const queriesOf = ({ attributes }: ContentType): readonly string[] => [
  "populate=*",
  "populate=*&status=draft",
  "locale=de&status=draft&populate=*",
  "_q=abcde",
  ...Object.entries<Attribute>(attributes).flatMap(([name, attribute]) => filtersOn(name, attribute)),
];

/** The steps that bring documents about and read them; `usual` says what is asked, `services` are asked. */
const steps = (usual: Application, services: Services): readonly Step[] => {
  const context = { services, caller };
  const present = new Map<string, string>();
  const types = Object.values(usual.contentTypes).flatMap(({ type }) =>
    type.uid.startsWith("plugin::") ? [] : [type],
  );
  /** As a client; or with what clients may not write, as a client and as code of the application. */
  const made =
    (uid: Uid, query: object, { unwritable = false, code = false } = {}) =>
    async () => {
      const type = services.registry.contentType(uid);
      const usualType = usual.contentTypes[uid]?.type ?? type;
      const done = await create(code ? { services, caller: system, code } : context, type, {
        data: bodyFor(usual, usualType, { present, unwritable }),
        query: { ...query },
      });
      const text = done?.shown ? jsonList(done.shown) : "[]";
      const [document]: { documentId?: string }[] = JSON.parse(text);
      if (document?.documentId !== undefined) present.set(uid, document.documentId);
      return text;
    };
  const changed = (uid: Uid, query: { readonly locale?: string }) => async () => {
    const type = services.registry.contentType(uid);
    const usualType = usual.contentTypes[uid]?.type ?? type;
    // What is related has no version in other locales.
    const given = query.locale === undefined ? { present } : { present: new Map(), other: true };
    const done = await update(context, type, present.get(uid) ?? "", {
      data: bodyFor(usual, usualType, given),
      query: { ...query },
    });
    return done?.shown ? jsonList(done.shown) : null;
  };
  const read = (uid: Uid, query: string) => async () => {
    const { documents, pagination } = await readMany(context, services.registry.contentType(uid), parseQuery(query));
    return [jsonList(documents), pagination];
  };
  const all = { populate: "*", status: "draft" };
  const published = (uid: Uid) => async () => {
    const done = await publish(context, services.registry.contentType(uid), present.get(uid) ?? "", {});
    return done?.shown ? jsonList(done.shown) : null;
  };
  const first: readonly Step[] = types.map(({ uid }) => made(uid, all));
  const rest = types.flatMap(({ uid, ...type }): readonly Step[] => [
    made(uid, all),
    made(uid, {}),
    made(uid, {}, { unwritable: true }),
    made(uid, all, { unwritable: true, code: true }),
    changed(uid, { ...all, locale: "de" }),
    changed(uid, {}),
    published(uid),
    ...queriesOf({ uid, ...type }).map((query) => read(uid, query)),
  ]);
  return [...first, ...rest];
};

const schemaOf = (application: Application, format: "entity" | "flat"): string => {
  const config = configSchema.parse({ graphql: { format } });
  return printSchema(createGraphqlSchema(declarationsOf(application), config));
};

/** Whether to go on after an observation. */
export type Visit = (observation: string) => boolean;

/**
 * Tells `visit` what `application` does when it is asked what `usual` would be asked, in a transaction that is undone.
 */
export const behave = async (
  usual: Application,
  application: Application,
  database: Database,
  visit: Visit,
): Promise<void> => {
  const attempt = database.transaction(async (session) => {
    await session.script(FILES);
    const inside: Database = {
      ...emptyDatabase(),
      rows: session.rows,
      script: session.script,
      transaction: session.transaction,
    };
    const { database: recorded, statements } = recording(inside);
    const services = await testServices(application, { config, database: recorded });
    const schemas = (["entity", "flat"] as const).map((format) => () => schemaOf(application, format));
    const described = [
      () => describeTypes(services.registry),
      () => [...grantableActions(application, {})],
      ...schemas,
    ];
    for (const step of [...steps(usual, services), ...described]) {
      if (!visit(await observe(session, step, statements))) break;
    }
    throw new Undone();
  });
  await attempt.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
};
