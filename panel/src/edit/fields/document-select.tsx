import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ContentType, titleOf, useModel } from "../../api/description.ts";
import { searchDocuments } from "../../api/documents.ts";
import { useText } from "../../i18n/index.ts";

/** The documents found by a search, as choices. */
export const useChoices = (type: ContentType, search: string, locale?: string) => {
  const model = useModel();
  const [settled] = useDebouncedValue(search, 200);
  return useQuery({
    queryKey: ["choices", type.uid, settled, locale],
    queryFn: () => searchDocuments(model, type, settled, locale),
    placeholderData: (before) => before,
  });
};

interface Props {
  readonly label: string;
  readonly type: ContentType;
  readonly value: string;
  change(documentId: string): void;
}

/** Chooses one document by searching for it. */
export const DocumentSelect = ({ label, type, value, change }: Props) => {
  const t = useText();
  const [search, setSearch] = useState("");
  const { data = [], isFetching } = useChoices(type, search);
  const choices = data.map((document) => ({
    value: document.documentId,
    label: titleOf(type.attributes, document) ?? t("edit.untitled"),
  }));
  return (
    <Select
      label={label}
      data={choices}
      filter={({ options }) => options}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      value={value === "" ? null : value}
      onChange={(next) => change(next ?? "")}
      rightSection={isFetching ? <Loader size="xs" /> : undefined}
      nothingFoundMessage={t("list.nothing")}
      comboboxProps={{ withinPortal: false }}
    />
  );
};
