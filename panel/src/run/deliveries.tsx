import { Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useLog } from "../api/records.ts";
import { useText } from "../i18n/index.ts";
import { MoreButton } from "../ui/buttons.tsx";
import { cellStyle, Instant, Name, Row, Rows } from "../ui/rows.tsx";
import { Muted } from "../ui/states.tsx";
import { useTask } from "../ui/task.ts";
import { LogFilter } from "./log-filter.tsx";

const COLORS = { pending: "gray", done: "teal", parked: "red" } as const;

const STATES = ["pending", "done", "parked"] as const;

interface Delivery {
  readonly consumer: string;
  readonly id: string;
  readonly event: string;
  readonly state: (typeof STATES)[number];
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly dueAt: string;
  readonly endedAt: string | null;
}

const DeliveryRow = ({ delivery }: { readonly delivery: Delivery }) => {
  const t = useText();
  const mayReplay = useModel().can("plugin::events.delivery.replay");
  const run = useTask(["deliveries"], ["webhooks"]);
  const { consumer, id, event, state, attempts, status, error, endedAt, dueAt } = delivery;
  const replay = () =>
    run(t("delivery.replayed"), () => send("POST", "/events/deliveries/replay", { query: { consumer, event: id } }));
  return (
    <Row
      cells={[
        <Instant at={endedAt ?? dueAt} />,
        <Name name={event} note={consumer} />,
        <Badge color={COLORS[state]}>{t(`delivery.${state}`)}</Badge>,
        <>
          <Text size="sm" style={cellStyle}>
            {[status, error].filter((part) => part !== null).join(" ") || "–"}
          </Text>
          <Muted size="xs">{t("delivery.attempts", { n: attempts })}</Muted>
        </>,
        mayReplay && state !== "pending" ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${t("delivery.replay")}: ${event}, ${consumer}`}
            onClick={() => void replay()}
          >
            {t("delivery.replay")}
          </Button>
        ) : null,
      ]}
    />
  );
};

/** The newest deliveries first. */
export const Deliveries = () => {
  const t = useText();
  const [state, setState] = useState<string | null>(null);
  const query = useLog<Delivery>("deliveries", "/events/deliveries", state === null ? {} : { state }, 10_000);
  return (
    <>
      <LogFilter
        label={t("list.state")}
        placeholder={t("list.all")}
        data={STATES.map((value) => ({ value, label: t(`delivery.${value}`) }))}
        value={state}
        choose={setState}
      />
      <Rows
        query={query}
        empty={{ icon: "link", title: t("delivery.empty") }}
        heads={[t("audit.at"), t("delivery.event"), t("list.state"), t("delivery.answer"), ""]}
        row={(delivery) => <DeliveryRow key={`${delivery.consumer} ${delivery.id}`} delivery={delivery} />}
      />
      <MoreButton query={query}>{t("audit.older")}</MoreButton>
    </>
  );
};
