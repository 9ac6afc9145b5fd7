import { Badge, Button, Center, Group, Select, Table, Text } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useLanguage } from "../i18n/index.ts";
import { tell, tellError } from "../ui/notify.ts";
import { longTime } from "../ui/time.ts";
import { Rows } from "./frame.tsx";

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

interface Page {
  readonly data: readonly Delivery[];
  readonly meta?: { readonly next: string | null };
}

const COLORS = { pending: "gray", done: "teal", parked: "red" } as const;

interface RowProps {
  readonly delivery: Delivery;
  readonly mayReplay: boolean;
  replay(delivery: Delivery): void;
}

const DeliveryRow = ({ delivery, mayReplay, replay }: RowProps) => {
  const { t, language } = useLanguage();
  const { consumer, event, state, attempts, status, error, endedAt, dueAt } = delivery;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: "nowrap" }}>{longTime(endedAt ?? dueAt, language)}</Table.Td>
      <Table.Td>
        <Text size="sm" fw={550}>
          {event}
        </Text>
        <Text size="xs" c="dimmed">
          {consumer}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={COLORS[state]} tt="none" fw={550}>
          {t(`delivery.${state}`)}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{[status, error].filter((part) => part !== null).join(" ") || "–"}</Text>
        <Text size="xs" c="dimmed">
          {t("delivery.attempts", { n: attempts })}
        </Text>
      </Table.Td>
      <Table.Td w={50}>
        {mayReplay && state !== "pending" ? (
          <Button size="compact-xs" variant="default" onClick={() => replay(delivery)}>
            {t("delivery.replay")}
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
};

/** The newest deliveries first. */
export const Deliveries = () => {
  const { t } = useLanguage();
  const model = useModel();
  const queries = useQueryClient();
  const [state, setState] = useState<string | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["deliveries", state],
    queryFn: ({ pageParam: after }) =>
      send<Page>("GET", "/events/deliveries", {
        query: { limit: 25, ...(state === null ? {} : { state }), ...(after === "" ? {} : { after }) },
      }),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta?.next ?? null,
    refetchInterval: 10_000,
  });
  const replay = async ({ consumer, id }: Delivery): Promise<void> => {
    try {
      await send("POST", "/events/deliveries/replay", { query: { consumer, event: id } });
      tell(t("delivery.replayed"));
      await queries.invalidateQueries({ queryKey: ["deliveries"] });
    } catch (thrown) {
      tellError(t, thrown);
    }
  };
  return (
    <>
      <Group>
        <Select
          w={220}
          aria-label={t("list.state")}
          placeholder={t("list.all")}
          clearable
          clearButtonProps={{ "aria-label": t("filter.clear") }}
          data={STATES.map((value) => ({ value, label: t(`delivery.${value}`) }))}
          value={state}
          onChange={setState}
        />
      </Group>
      <Rows
        items={data?.pages.flatMap((page) => page.data)}
        error={error}
        retry={() => void refetch()}
        empty={{ icon: "link", title: t("delivery.empty") }}
        heads={[t("audit.at"), t("delivery.event"), t("list.state"), t("delivery.answer"), ""]}
        row={(delivery) => (
          <DeliveryRow
            key={`${delivery.consumer} ${delivery.id}`}
            delivery={delivery}
            mayReplay={model.can("plugin::events.delivery.replay")}
            replay={(each) => void replay(each)}
          />
        )}
      />
      {hasNextPage ? (
        <Center>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t("audit.older")}
          </Button>
        </Center>
      ) : null}
    </>
  );
};
