import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { type ContentType, useModel } from "../api/description.ts";
import type { ListQuery } from "../api/documents.ts";
import { documentsIn, useText } from "../i18n/index.ts";
import { Icon } from "../ui/icons.tsx";
import { tellError } from "../ui/notify.ts";
import { download, exportedList, type Format } from "./export.ts";

/** Downloads what the list shows, with all of its pages. */
export const ExportMenu = ({ type, query }: { readonly type: ContentType; readonly query: ListQuery }) => {
  const t = useText();
  const model = useModel();
  const [rows, setRows] = useState<number>();
  const run = async (format: Format): Promise<void> => {
    setRows(0);
    try {
      download(type.pluralName, format, await exportedList(model, type, query, format, setRows));
    } catch (error) {
      tellError(t, error);
    } finally {
      setRows(undefined);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />} disabled={rows !== undefined} visibleFrom="sm">
          {rows === undefined ? t("list.export") : documentsIn(t, rows)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run("csv")}>CSV</Menu.Item>
        <Menu.Item onClick={() => void run("json")}>JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
