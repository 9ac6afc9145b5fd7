import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useText } from "../i18n/index.ts";

interface Props {
  readonly count: number;
  readonly children: ReactNode;
  clear(): void;
}

/** The actions on what is chosen in a list. */
export const BulkBar = ({ count, children, clear }: Props) => {
  const t = useText();
  const label = t("count.selected", { n: count });
  return (
    <Group className="bulk-bar" role="toolbar" aria-label={label}>
      <Text size="sm" fw={550} mr="sm">
        {label}
      </Text>
      {children}
      <Button size="xs" variant="subtle" ml="auto" onClick={clear}>
        {t("action.cancel")}
      </Button>
    </Group>
  );
};
