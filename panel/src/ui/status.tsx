import { Badge, Group, Text } from "@mantine/core";
import type { Scheduled, Status } from "../api/documents.ts";
import { useLanguage, useText } from "../i18n/index.ts";
import { Icon } from "./icons.tsx";
import { longTime, shortTime } from "./time.ts";

const COLORS: Readonly<Record<Status, string>> = {
  draft: "var(--mantine-color-gray-5)",
  modified: "var(--mantine-color-orange-5)",
  published: "var(--mantine-color-teal-6)",
};

/** The status of a document: a word with a coloured dot. */
export const StatusMark = ({ status }: { readonly status: Status }) => {
  const t = useText();
  return (
    <Group gap={8} wrap="nowrap">
      <span className="dot" style={{ background: COLORS[status] }} />
      <Text size="sm" component="span">
        {t(`status.${status}`)}
      </Text>
    </Group>
  );
};

/** What is scheduled for a document, and when; in full for whoever points at it. */
export const ScheduleMark = ({ action, at }: Scheduled) => {
  const { t, language } = useLanguage();
  const name = t(action === "publish" ? "schedule.publish" : "schedule.unpublish");
  return (
    <Group gap={4} wrap="nowrap" title={`${name} ${longTime(at, language)}`}>
      <Icon name="clock" size={14} />
      <Text size="xs" component="span" style={{ whiteSpace: "nowrap" }}>
        {t(`status.${action}`, { at: shortTime(at, language) })}
      </Text>
    </Group>
  );
};

/** The languages that a document is in. */
export const LocaleMarks = ({ codes }: { readonly codes: readonly string[] }) => (
  <Group gap={4} wrap="nowrap">
    {codes.map((code) => (
      <Badge key={code} variant="default" size="sm" radius="sm" tt="none" fw={500}>
        {code}
      </Badge>
    ))}
  </Group>
);
