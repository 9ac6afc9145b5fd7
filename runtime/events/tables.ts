/** The tables of events: part of the migrations of projects that have `events` in their configuration. */
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../schema/columns.ts";
import type { Json } from "../schema/content-type.ts";

/** Events of committed changes. */
export const events = pgTable(
  "event_log",
  {
    /** Assigned while the document is locked, so a document's events are ordered by position. */
    position: bigint("position", { mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    /** The idempotency key: the same for every receiver and every attempt. */
    id: text("id").notNull(),
    /** The transaction that wrote it, if there is a stream, which shows only those before the oldest running one. */
    transaction: bigint("transaction", { mode: "number" }),
    name: text("name").notNull(),
    /** The content type; null for files. */
    uid: text("uid"),
    documentId: text("document_id").notNull(),
    locale: text("locale"),
    createdAt: instant("created_at").notNull(),
    /** The values of the version, or the file, as the change left them. */
    entry: json("entry").$type<Json>().notNull(),
    /** The body for webhooks, once it has been sent: every attempt sends the same. */
    body: text("body"),
  },
  (event) => [
    uniqueIndex("event_log_id_key").on(event.id),
    index("event_log_transaction_idx").on(event.transaction, event.position),
  ],
);

/** The pending and finished deliveries of each consumer. */
export const deliveries = pgTable(
  "event_deliveries",
  {
    consumer: text("consumer").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    /** Deliveries of the same document are made in order. */
    documentId: text("document_id").notNull(),
    /** `pending`, `done` or `parked`. */
    state: text("state").notNull(),
    attempts: integer("attempts").notNull(),
    /** When it is due; during an attempt, when the lease ends and another process may try. */
    dueAt: instant("due_at").notNull(),
    /** The status of the receiver's last response. */
    status: integer("status"),
    /** Why the last attempt failed. */
    error: text("error"),
    milliseconds: integer("milliseconds"),
    endedAt: instant("ended_at"),
  },
  (delivery) => [
    primaryKey({ name: "event_deliveries_pk", columns: [delivery.position, delivery.consumer] }),
    index("event_deliveries_due_idx")
      .on(delivery.consumer, delivery.dueAt, delivery.position)
      .where(sql`${delivery.state} = 'pending'`),
    index("event_deliveries_order_idx")
      .on(delivery.consumer, delivery.documentId, delivery.position)
      .where(sql`${delivery.state} = 'pending'`),
    index("event_deliveries_parked_idx")
      .on(delivery.consumer)
      .where(sql`${delivery.state} = 'parked'`),
    index("event_deliveries_ended_idx")
      .on(delivery.endedAt)
      .where(sql`${delivery.state} <> 'pending'`),
  ],
);

/** Webhooks that a command added, and paused ones. */
export const webhooks = pgTable("event_webhooks", {
  name: text("name").primaryKey(),
  /** As in the configuration; null for a webhook that is defined there. */
  settings: json("settings").$type<Json>(),
  paused: boolean("paused").notNull(),
});
