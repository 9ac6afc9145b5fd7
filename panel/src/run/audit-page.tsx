/** The audit log: who has signed in, deleted, or changed what others may do. */
import { Text } from "@mantine/core";
import { useState } from "react";
import { useLog } from "../api/records.ts";
import { named, saidByServer, type Translate, useText } from "../i18n/index.ts";
import { MoreButton } from "../ui/buttons.tsx";
import { Frame } from "../ui/frame.tsx";
import { cellStyle, Instant, Name, Row, Rows } from "../ui/rows.tsx";
import { LogFilter } from "./log-filter.tsx";

interface Named {
  readonly id: string | null;
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

const GROUPS = [
  "login",
  "token",
  "role",
  "permissions",
  "user",
  "document",
  "file",
  "folder",
  "webhook",
  "migration",
  "content",
];

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Details in one line. */
const detailsText = (t: Translate, details: Entry["details"]): string =>
  Object.entries(details ?? {})
    .map(([name, value]) => `${named(t, "detail", name)}: ${saidByServer(textOf(value))}`)
    .join(" · ");

/** Who did it. Visitors and code of the project have no names. */
const authorText = (t: Translate, { kind, id, name }: Entry["by"]): string =>
  name ?? id ?? (kind === "public" || kind === "code" ? t(`history.by.${kind}`) : kind);

const EntryRow = ({ entry: { at, action, by, subject, address, details } }: { readonly entry: Entry }) => {
  const t = useText();
  const texts = [authorText(t, by), subject?.name ?? subject?.id, address].map((text, column) => (
    <Text key={column} size="sm" lineClamp={3} style={{ ...cellStyle, minWidth: 120, maxWidth: 200 }}>
      {text ?? "–"}
    </Text>
  ));
  return (
    <Row
      cells={[<Instant at={at} />, <Name name={named(t, "act", action)} note={detailsText(t, details)} />, ...texts]}
    />
  );
};

export const AuditPage = () => {
  const t = useText();
  const [action, setAction] = useState<string | null>(null);
  const query = useLog<Entry>("audit", "/audit-log", action === null ? {} : { action });
  return (
    <Frame title={t("nav.audit")} text={t("audit.text")}>
      <LogFilter
        label={t("audit.action")}
        placeholder={t("audit.all")}
        data={GROUPS.map((value) => ({ value, label: named(t, "act", value) }))}
        value={action}
        choose={setAction}
      />
      <Rows
        query={query}
        empty={{ icon: "list", title: t("audit.empty") }}
        heads={[t("audit.at"), t("audit.action"), t("audit.by"), t("audit.subject"), t("audit.address")]}
        row={(entry) => <EntryRow key={entry.id} entry={entry} />}
      />
      <MoreButton query={query}>{t("audit.older")}</MoreButton>
    </Frame>
  );
};
