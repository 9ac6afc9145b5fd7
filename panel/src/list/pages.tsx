import { ActionIcon, Group, Select, Text } from "@mantine/core";
import type { Page } from "../api/documents.ts";
import { useText } from "../i18n/index.ts";
import { Icon } from "../ui/icons.tsx";

interface Props {
  readonly pagination: Page["meta"]["pagination"];
  change(changes: Readonly<Record<string, string | undefined>>): void;
}

/** The position in a list, and the links to its other pages. */
export const Pages = ({ pagination: { page, pageSize, pageCount, total }, change }: Props) => {
  const t = useText();
  const from = (page - 1) * pageSize + 1;
  const to = Math.min(page * pageSize, total);
  return (
    <Group justify="space-between" px="md" py="sm" style={{ borderTop: "1px solid var(--panel-line)" }}>
      <Select
        w={140}
        size="xs"
        aria-label={t("page.size", { n: "" })}
        value={String(pageSize)}
        data={["10", "25", "50", "100"].map((value) => ({ value, label: t("page.size", { n: value }) }))}
        allowDeselect={false}
        onChange={(size) => change({ size: size ?? undefined })}
      />
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t("page.of", { from, to, total })}
        </Text>
        <ActionIcon
          variant="default"
          size="md"
          aria-label={t("page.previous")}
          disabled={page <= 1}
          onClick={() => change({ page: String(page - 1) })}
        >
          <Icon name="arrowLeft" />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="md"
          aria-label={t("page.next")}
          disabled={page >= pageCount}
          onClick={() => change({ page: String(page + 1) })}
        >
          <span style={{ display: "flex", transform: "rotate(180deg)" }}>
            <Icon name="arrowLeft" />
          </span>
        </ActionIcon>
      </Group>
    </Group>
  );
};
