/** The consumers of events: webhooks and the project's code. */
import { userUid } from "../accounts/users/user-store.ts";
import { didYouMean } from "../base/did-you-mean.ts";
import { SetupError } from "../base/thrown.ts";
import type { EventName, EventsConfig, WebhookConfig } from "../config/events.ts";
import { EVENT_NAMES, isEventName, webhookConfig } from "../config/events.ts";
import type { Reader } from "../database/database.ts";
import type { EventHandler, EventHandlers } from "../documents/committed-event.ts";
import { fileType } from "../schema/file-type.ts";

/** A receiver of events. Its deliveries are stored under its name. */
export interface Consumer {
  readonly name: string;
  readonly to: { readonly webhook: WebhookConfig } | { readonly handler: EventHandler };
  /** While true, due deliveries wait. */
  readonly isPaused: boolean;
  wants(event: EventName, uid: string | null, locale: string | null): boolean;
}

/** The prefix of the names of consumers in code, which tells them apart from webhooks. */
const CODE = "code:";

/** A consumer that is a webhook. */
interface WebhookConsumer extends Consumer {
  readonly webhook: WebhookConfig;
}

const webhookConsumer = (webhook: WebhookConfig, isPaused: boolean): WebhookConsumer => ({
  name: webhook.name,
  webhook,
  to: { webhook },
  isPaused: isPaused || !webhook.enabled,
  wants(event, uid, locale) {
    const { enabled, events, types, locales } = webhook;
    if (!enabled || events?.includes(event) === false) return false;
    if (locale !== null && locales?.includes(locale) === false) return false;
    return types?.includes(uid ?? fileType.uid) ?? uid !== userUid;
  },
});

/**
 * The consumers of `app.ts`.
 *
 * @throws SetupError that names the unknown event
 */
export const codeConsumers = (handlers: EventHandlers): readonly Consumer[] =>
  Object.entries(handlers).flatMap(([event, handled]) => {
    if (!isEventName(event)) {
      throw new SetupError(`app.ts: there is no event "${event}".${didYouMean(event, EVENT_NAMES)}`);
    }
    const named = typeof handled === "function" ? { [event]: handled } : handled;
    return Object.entries(named).map(([name, handler]): Consumer => ({
      name: `${CODE}${name === event ? event : `${event}/${name}`}`,
      to: { handler },
      isPaused: false,
      wants: (happened) => happened === event,
    }));
  });

/** The webhooks in the configuration, and those in the database. */
export const loadWebhooks = async (session: Reader, config: EventsConfig): Promise<readonly WebhookConsumer[]> => {
  const rows = await session.rows("select name, settings, paused from event_webhooks order by name");
  const paused = new Set(rows.flatMap(([name, , isPaused]) => (isPaused === true ? [name] : [])));
  const configured = new Set(config.webhooks.map(({ name }) => name));
  const added = rows.flatMap(([name, settings]) =>
    typeof settings === "string" && typeof name === "string" && !configured.has(name)
      ? [webhookConfig.parse(JSON.parse(settings))]
      : [],
  );
  return [...config.webhooks, ...added].map((webhook) => webhookConsumer(webhook, paused.has(webhook.name)));
};
