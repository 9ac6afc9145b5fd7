/** Lists as a user has arranged them, kept in the browser under a name. A view is the query of the list's address. */
import { Button, Group, Popover, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useSearchParams } from "wouter";
import type { ContentType } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { ActionButton, IconButton } from "../ui/buttons.tsx";

type Views = Readonly<Record<string, string>>;

export const ViewsMenu = ({ type }: { readonly type: ContentType }) => {
  const t = useText();
  const [params, setParams] = useSearchParams();
  const [stored, store] = useLocalStorage<Views | null>({ key: `panel:views:${type.uid}`, defaultValue: null });
  const views = stored ?? {};
  const [name, setName] = useState("");
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const kept = new URLSearchParams(params);
    for (const position of ["after", "before"]) kept.delete(position);
    store({ ...views, [name.trim()]: String(kept) });
    setName("");
  };
  const forget = (view: string): void =>
    store(Object.fromEntries(Object.entries(views).filter(([other]) => other !== view)));
  return (
    <Popover width={320} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionButton icon="star" variant="default" visibleFrom="sm">
          {t("list.views")}
        </ActionButton>
      </Popover.Target>
      <Popover.Dropdown>
        {Object.entries(views).map(([view, query]) => (
          <Group key={view} gap={4} wrap="nowrap">
            <Button
              variant="subtle"
              size="xs"
              justify="flex-start"
              style={{ flex: 1 }}
              onClick={() => setParams(new URLSearchParams(query))}
            >
              {view}
            </Button>
            <IconButton icon="x" iconSize={14} label={`${t("action.remove")}: ${view}`} onClick={() => forget(view)} />
          </Group>
        ))}
        <form onSubmit={save}>
          <Group gap={4} wrap="nowrap" p={4}>
            <TextInput
              size="xs"
              style={{ flex: 1 }}
              aria-label={t("list.viewName")}
              placeholder={t("list.viewName")}
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" size="xs" disabled={name.trim() === ""}>
              {t("action.save")}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
};
