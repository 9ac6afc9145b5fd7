import { ActionIcon, Anchor, Combobox, Group, Input, InputBase, Loader, Stack, Text, useCombobox } from "@mantine/core";
import { useContext, useId, useState } from "react";
import { Link } from "wouter";
import { type ContentType, isToMany, titleOf, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { hrefOf } from "../../shell/navigation.tsx";
import { Icon } from "../../ui/icons.tsx";
import { isLinked, type Linked } from "../convert.ts";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { PlaceContext } from "../place.ts";
import { useChoices } from "./document-select.tsx";
import { moved, Sortable, SortableItem } from "./sortable.tsx";

interface PickerProps {
  readonly id: string;
  readonly type: ContentType;
  readonly taken: ReadonlySet<string>;
  readonly fault: string | undefined;
  pick(document: Linked): void;
}

const Picker = ({ id, type, taken, fault, pick }: PickerProps) => {
  const t = useText();
  const place = useContext(PlaceContext);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [search, setSearch] = useState("");
  const { data = [], isFetching } = useChoices(type, search, type.localized ? place?.locale : undefined);
  const choices = data.filter(({ documentId }) => !taken.has(documentId));
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(documentId) => {
        const found = data.find((document) => document.documentId === documentId);
        if (found) pick(found);
        setSearch("");
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target>
        <InputBase
          id={id}
          placeholder={t("action.search")}
          leftSection={<Icon name="search" />}
          rightSection={isFetching && combobox.dropdownOpened ? <Loader size="xs" /> : null}
          value={search}
          error={fault !== undefined}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={260} style={{ overflowY: "auto" }}>
          {choices.map((document) => (
            <Combobox.Option key={document.documentId} value={document.documentId}>
              {titleOf(type.attributes, document) ?? document.documentId}
            </Combobox.Option>
          ))}
          {choices.length === 0 && !isFetching ? <Combobox.Empty>{t("list.nothing")}</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};

interface ItemProps {
  readonly type: ContentType;
  readonly item: Linked;
  readonly readOnly: boolean;
  /** Whether the relation has several targets, in order. */
  readonly many: boolean;
  remove(): void;
}

const LinkedItem = ({ type, item, readOnly, many, remove }: ItemProps) => {
  const t = useText();
  const title = titleOf(type.attributes, item) ?? item.documentId;
  return (
    <SortableItem id={item.documentId} name={title} readOnly={readOnly || !many}>
      {(grip) => (
        <Group gap="xs" px="xs" py={6} wrap="nowrap" className="entry">
          {grip}
          <Anchor
            component={Link}
            href={type.kind === "singleType" ? hrefOf(type) : `${hrefOf(type)}/${item.documentId}`}
            size="sm"
            c="inherit"
            truncate
            style={{ flex: 1 }}
          >
            {title}
          </Anchor>
          {readOnly ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`${t("action.remove")}: ${title}`}
              onClick={remove}
            >
              <Icon name="x" />
            </ActionIcon>
          )}
        </Group>
      )}
    </SortableItem>
  );
};

const asList = (value: unknown): readonly Linked[] => (Array.isArray(value) ? value : [value]).filter(isLinked);

export const RelationField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const t = useText();
  const id = useId();
  const { value, fault, set } = useField(path);
  const type = useModel().type(attribute.target);
  const items = asList(value);
  const many = isToMany(attribute);
  const store = (next: readonly Linked[]): void => set(many ? next : (next.at(-1) ?? null));
  if (!type)
    return (
      <Input.Wrapper label={label} description={t("field.byCode")}>
        <Text size="sm" c="dimmed">
          {attribute.target ?? "–"}
        </Text>
      </Input.Wrapper>
    );
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={attribute.panel?.help}
      withAsterisk={attribute.required}
      error={fault}
    >
      <Stack gap={6} mt={2}>
        <Sortable ids={items.map(({ documentId }) => documentId)} move={(from, to) => store(moved(items, from, to))}>
          {items.map((item) => (
            <LinkedItem
              key={item.documentId}
              type={type}
              item={item}
              readOnly={readOnly}
              many={many}
              remove={() => store(items.filter((other) => other !== item))}
            />
          ))}
        </Sortable>
        {readOnly || (!many && items.length > 0) ? null : (
          <Picker
            id={id}
            type={type}
            taken={new Set(items.map(({ documentId }) => documentId))}
            fault={fault}
            pick={(document) => store([...items, document])}
          />
        )}
        {readOnly && items.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t("field.empty")}
          </Text>
        ) : null}
      </Stack>
    </Input.Wrapper>
  );
};
