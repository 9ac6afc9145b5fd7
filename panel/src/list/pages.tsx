import { Button, Group, Select } from "@mantine/core";
import { useState } from "react";
import type { Page } from "../api/documents.ts";
import { useText } from "../i18n/index.ts";
import { IconButton } from "../ui/buttons.tsx";
import { Muted } from "../ui/states.tsx";
import type { ListState } from "./state.ts";

type Position = Pick<ListState, "after" | "before">;

interface Props {
  readonly position: Position;
  readonly rows: number;
  readonly pagination: Page["meta"]["pagination"];
  change(changes: Readonly<Record<string, string | undefined>>): void;
}

/** The position in a list, and the way to its other pages. Cursors lead forwards; those passed lead back. */
export const Pages = ({ position, rows, pagination: { pageSize, after, total }, change }: Props) => {
  const t = useText();
  const [passed, setPassed] = useState<readonly Position[]>([]);
  const { before } = position;
  const go = (to: Position | undefined): void =>
    change({ after: to?.after || undefined, before: to?.before ? String(to.before) : undefined });
  const previous = before === 0 ? undefined : passed.at(-1);
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
        {before > 0 ? (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setPassed([]);
              go(undefined);
            }}
          >
            {t("page.first")}
          </Button>
        ) : null}
        <Muted>{t("page.of", { from: before + 1, to: before + rows, total })}</Muted>
        <IconButton
          icon="arrowLeft"
          variant="default"
          label={t("page.previous")}
          disabled={previous === undefined}
          onClick={() => {
            setPassed(passed.slice(0, -1));
            go(previous);
          }}
        />
        <IconButton
          icon="arrowRight"
          variant="default"
          label={t("page.next")}
          disabled={after === null}
          onClick={() => {
            setPassed(before === 0 ? [position] : [...passed, position]);
            go({ after: after ?? "", before: before + rows });
          }}
        />
      </Group>
    </Group>
  );
};
