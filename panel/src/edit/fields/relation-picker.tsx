import { Combobox, Group, InputBase, Loader, useCombobox } from "@mantine/core";
import { lazy, Suspense, useContext, useState } from "react";
import { type ContentType, titleOf, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { Icon } from "../../ui/icons.tsx";
import type { Linked } from "../convert.ts";
import { PlaceContext } from "../place.ts";
import { useChoices } from "./document-select.tsx";

interface PickerProps {
  readonly id: string;
  readonly type: ContentType;
  readonly taken: ReadonlySet<string>;
  readonly fault: string | undefined;
  pick(document: Linked): void;
}

const CreateDialog = lazy(async () => ({ default: (await import("./create-dialog.tsx")).CreateDialog }));

/** The option that creates a document; no documentId looks like this. */
const CREATE = "+";

/** Finds the target of a relation, or creates it. */
export const Picker = ({ id, type, taken, fault, pick }: PickerProps) => {
  const t = useText();
  const model = useModel();
  const place = useContext(PlaceContext);
  const [newTitle, setNewTitle] = useState<string>();
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [search, setSearch] = useState("");
  const { data = [], isFetching } = useChoices(type, search, type.localized ? place?.locale : undefined);
  const choices = data.filter(({ documentId }) => !taken.has(documentId));
  const mayCreate = type.kind === "collectionType" && model.can(`${type.uid}.create`);
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(documentId) => {
        if (documentId === CREATE) setNewTitle(search);
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
          {mayCreate ? (
            <Combobox.Option value={CREATE}>
              <Group gap={6}>
                <Icon name="plus" size={14} />
                {t("action.create", { name: search === "" ? type.displayName : `“${search}”` })}
              </Group>
            </Combobox.Option>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
      <Suspense>
        {newTitle === undefined ? null : (
          <CreateDialog type={type} title={newTitle} close={() => setNewTitle(undefined)} created={pick} />
        )}
      </Suspense>
    </Combobox>
  );
};
