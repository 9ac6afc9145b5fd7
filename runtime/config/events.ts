/** Settings of events: who receives changes once they are committed. */
import { z } from "zod";

/** The events, by the names that webhook receivers know. */
export const EVENT_NAMES = [
  "entry.create",
  "entry.update",
  "entry.delete",
  "entry.publish",
  "entry.unpublish",
  "entry.draft-discard",
  "media.create",
  "media.update",
  "media.delete",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

export const isEventName = (name: string): name is EventName => EVENT_NAMES.some((known) => known === name);

const headers = z.record(z.string().regex(/^[\w-]+$/, "expected the name of a header"), z.string()).prefault({});

/** A webhook, in `cms.config.ts` or added by a command. */
export const webhookConfig = z.strictObject({
  name: z.string().regex(/^[a-z0-9][\w.-]{0,63}$/i, "expected letters, digits, dots, dashes and underscores"),
  url: z.url({ protocol: /^https?$/ }),
  /** The signing key: `whsec_` followed by base64, or any other text. Without it nothing is signed. */
  secret: z.string().min(16).optional(),
  /** Headers of every request to it. */
  headers,
  /** The events that it receives; all by default. */
  events: z.array(z.enum(EVENT_NAMES)).nonempty().optional(),
  /** The uids of the content types whose events it receives, including that of files; by default all except users. */
  types: z.array(z.string()).nonempty().optional(),
  /** The locales whose events it receives; all by default. Events without a locale always arrive. */
  locales: z.array(z.string()).nonempty().optional(),
  enabled: z.boolean().default(true),
});

export type WebhookConfig = z.output<typeof webhookConfig>;

/** Seconds between attempts, which span about a day. */
const RETRIES = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800];

/** With this group, even as `{}`, permitted clients are notified of changes over a connection that stays open. */
const streamConfig = z.strictObject({
  /** The path below the prefix of REST. */
  path: z
    .string()
    .regex(/^(?:\/[\w-]+)+$/, "expected a path such as /events")
    .default("/events"),
  /** Seconds between keep-alives, which prevent proxies from closing connections. */
  heartbeatSeconds: z.number().positive().max(3600).default(15),
  /** Most listeners per process. */
  listeners: z.int().positive().default(20_000),
});

export type StreamConfig = z.output<typeof streamConfig>;

/** With this group, even as `{}`, the database gets the tables for events. */
export const eventsConfig = z
  .strictObject({
    webhooks: z
      .array(webhookConfig)
      .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "two webhooks have the same name")
      .prefault([]),
    /** Headers of every request to any webhook. */
    headers,
    /** Private and link-local addresses, or ranges of them, that webhooks may call, such as `10.0.0.0/8`. */
    allowAddresses: z
      .array(
        z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], "expected an address, or a range such as 10.0.0.0/8"),
      )
      .prefault([]),
    /** Seconds that a receiver has to respond. */
    timeoutSeconds: z.number().positive().max(30).default(10),
    /** Seconds between the attempts of a delivery; after the last one the delivery is parked. */
    retrySeconds: z.array(z.number().positive()).default(RETRIES),
    stream: streamConfig.optional(),
    /** Days for which events and deliveries that have ended are listed. */
    days: z.number().positive().default(7),
  })
  .optional();

export type EventsConfig = NonNullable<z.output<typeof eventsConfig>>;
