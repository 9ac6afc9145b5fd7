/** The audit log: who has signed in, deleted, or changed what others may do. */
import { Button, Center, Group, Select, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useLanguage } from "../i18n/index.ts";
import { longTime } from "../ui/time.ts";
import { Frame, Rows } from "./frame.tsx";

interface Named {
  readonly id: string | number | null;
  readonly name: string | null;
}

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly by: Named & { readonly kind: string };
  readonly subject: (Named & { readonly type: string }) | null;
  readonly address: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

interface Page {
  readonly data: readonly Entry[];
  readonly meta: { readonly next: string | null };
}

const GROUPS = ["login", "token", "role", "permissions", "user", "document", "file", "webhook", "migration", "content"];

/** Details in one line, without braces. */
const detailsText = (details: Entry["details"]): string =>
  Object.entries(details ?? {})
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value);
      return `${name}: ${text}`;
    })
    .join(" · ");

const EntryRow = ({ entry }: { readonly entry: Entry }) => {
  const { language } = useLanguage();
  const { at, action, by, subject, address, details } = entry;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: "nowrap" }}>{longTime(at, language)}</Table.Td>
      <Table.Td>
        <Text size="sm" fw={550}>
          {action}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {detailsText(details)}
        </Text>
      </Table.Td>
      <Table.Td>{by.name ?? by.id ?? by.kind}</Table.Td>
      <Table.Td>{subject?.name ?? subject?.id ?? "–"}</Table.Td>
      <Table.Td>{address ?? "–"}</Table.Td>
    </Table.Tr>
  );
};

export const AuditPage = () => {
  const { t } = useLanguage();
  const [group, setGroup] = useState<string | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["audit", group],
    queryFn: ({ pageParam: after }) =>
      send<Page>("GET", "/audit-log", {
        query: { limit: 50, ...(group === null ? {} : { action: group }), ...(after === "" ? {} : { after }) },
      }),
    initialPageParam: "",
    getNextPageParam: ({ meta }) => meta.next,
  });
  return (
    <Frame title={t("nav.audit")} text={t("audit.text")}>
      <Group>
        <Select
          w={220}
          aria-label={t("audit.action")}
          placeholder={t("audit.all")}
          clearable
          clearButtonProps={{ "aria-label": t("filter.clear") }}
          data={GROUPS}
          value={group}
          onChange={setGroup}
        />
      </Group>
      <Rows
        items={data?.pages.flatMap((page) => page.data)}
        error={error}
        retry={() => void refetch()}
        empty={{ icon: "list", title: t("audit.empty") }}
        heads={[t("audit.at"), t("audit.action"), t("audit.by"), t("audit.subject"), t("audit.address")]}
        row={(entry) => <EntryRow key={entry.id} entry={entry} />}
      />
      {hasNextPage ? (
        <Center>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t("audit.older")}
          </Button>
        </Center>
      ) : null}
    </Frame>
  );
};
