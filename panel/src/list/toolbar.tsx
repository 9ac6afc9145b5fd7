import { Button, Checkbox, Group, Menu, Pill, Select } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { type ContentType, isShown, labelOf, useModel } from "../api/description.ts";
import { SCHEDULED } from "../api/documents.ts";
import { useText } from "../i18n/index.ts";
import { ActionButton } from "../ui/buttons.tsx";
import { Icon } from "../ui/icons.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { FilterForm, operatorText } from "./filters.tsx";
import type { Condition, ListState } from "./state.ts";

interface Props {
  readonly type: ContentType;
  readonly state: ListState;
  readonly locale: string | undefined;
  change(changes: Readonly<Record<string, string | readonly string[] | undefined>>): void;
  chooseColumns(columns: readonly string[]): void;
}

const textOf = ({ field, operator, value }: Condition): string => `${field}:${operator}:${value}`;

const HIDDEN = new Set(["component", "dynamiczone", "blocks", "json", "richtext", "password"]);

const Columns = ({ type, state, chooseColumns }: Pick<Props, "type" | "state" | "chooseColumns">) => (
  <Menu closeOnItemClick={false} width={240}>
    <Menu.Target>
      <ActionButton icon="columns" variant="default" visibleFrom="sm">
        {useText()("list.columns")}
      </ActionButton>
    </Menu.Target>
    <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
      {Object.entries(type.attributes)
        .filter(([, attribute]) => !HIDDEN.has(attribute.type) && isShown(attribute))
        .map(([name]) => {
          const isShown = state.columns.includes(name);
          const next = isShown ? state.columns.filter((other) => other !== name) : [...state.columns, name];
          return (
            <Menu.Item key={name} onClick={() => chooseColumns(next)} role="menuitemcheckbox" aria-checked={isShown}>
              <Checkbox
                size="xs"
                checked={isShown}
                readOnly
                tabIndex={-1}
                label={labelOf(type.attributes, name)}
                style={{ pointerEvents: "none" }}
              />
            </Menu.Item>
          );
        })}
    </Menu.Dropdown>
  </Menu>
);

/** The controls of a list: search, status, language, filters and columns. */
export const Toolbar = ({ type, state, locale, change, chooseColumns }: Props) => {
  const t = useText();
  const { locales } = useModel();
  const [text, setText] = useState(state.search);
  const search = useDebouncedCallback((value: string) => change({ q: value === "" ? undefined : value }), 250);
  const { conditions } = state;
  const setConditions = (next: readonly Condition[]): void => change({ where: next.map(textOf) });
  return (
    <>
      <Group gap="sm">
        <SearchInput
          value={text}
          search={(next) => {
            setText(next);
            search(next);
          }}
        />
        {type.draftAndPublish ? (
          <Select
            w={150}
            aria-label={t("list.state")}
            value={state.publication ?? ""}
            allowDeselect={false}
            data={[
              { value: "", label: t("list.all") },
              { value: "never-published", label: t("list.never") },
              { value: "modified", label: t("list.modified") },
              { value: "unmodified", label: t("list.published") },
              ...(type.schedules ? [{ value: SCHEDULED, label: t("status.scheduled") }] : []),
            ]}
            onChange={(value) => change({ state: value || undefined })}
          />
        ) : null}
        {locale === undefined ? null : (
          <Select
            w={100}
            aria-label={t("account.language")}
            leftSection={<Icon name="globe" />}
            value={locale}
            allowDeselect={false}
            data={[...locales.codes]}
            onChange={(value) => change({ locale: value ?? undefined })}
          />
        )}
        <FilterForm type={type} add={(condition) => setConditions([...conditions, condition])} />
        <Columns type={type} state={state} chooseColumns={chooseColumns} />
      </Group>
      {conditions.length === 0 ? null : (
        <Group gap="xs">
          {conditions.map((condition, index) => (
            <Pill
              key={textOf(condition)}
              size="md"
              withRemoveButton
              removeButtonProps={{ "aria-label": t("action.remove") }}
              onRemove={() => setConditions(conditions.filter((_other, at) => at !== index))}
            >
              {labelOf(type.attributes, condition.field)} {operatorText(t, condition)}
            </Pill>
          ))}
          <Button variant="subtle" size="compact-sm" onClick={() => setConditions([])}>
            {t("filter.clear")}
          </Button>
        </Group>
      )}
    </>
  );
};
