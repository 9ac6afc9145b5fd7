import { Button, Group, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { send } from "../../api/client.ts";
import { labelOf, mainAttribute, useModel } from "../../api/description.ts";
import { type Page, pathOf, statusOf } from "../../api/documents.ts";
import { useText } from "../../i18n/index.ts";
import { Muted } from "../../ui/states.tsx";
import type { FieldProps } from "../field.tsx";
import { valueAt, useForm } from "../form.ts";
import { PlaceContext } from "../place.ts";
import { textOf, useTextInput, valueOf } from "./text.tsx";

/** Suggests a slug for a text: `Über den Deich` becomes `ueber-den-deich`. */
const slugOf = (text: string): string =>
  text
    .replaceAll(/[äöüÄÖÜ]/g, (letter) => `${letter.normalize("NFD").charAt(0)}e`)
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");

/** Whether another document of the type has the value. */
const useIsTaken = (path: FieldProps["path"], name: string, value: string) => {
  const model = useModel();
  const place = useContext(PlaceContext);
  const [settled] = useDebouncedValue(value, 300);
  return useQuery({
    queryKey: ["taken", place?.type.uid, name, settled, place?.locale],
    enabled: place !== undefined && path.length === 1 && settled !== "" && place.type.kind === "collectionType",
    queryFn: async () => {
      if (!place) return false;
      const { type, documentId, locale } = place;
      const query = {
        ...statusOf(model, type, locale),
        ...(type.localized ? { locale } : {}),
        filters: { [name]: { $eq: settled }, ...(documentId === undefined ? {} : { documentId: { $ne: documentId } }) },
        fields: ["documentId"],
        pagination: { pageSize: 1 },
      };
      return (await send<Page>("GET", pathOf(type), { query })).data.length > 0;
    },
  });
};

export const UidField = (props: FieldProps) => {
  const { name, path, readOnly, siblings } = props;
  const t = useText();
  const form = useForm();
  const { error: fault, value: text, ...input } = useTextInput(props);
  const { data: isTaken } = useIsTaken(path, name, text);
  const source = mainAttribute(siblings);
  const propose = (): void => {
    if (source === undefined) return;
    form.set(path, valueOf(slugOf(textOf(valueAt(form.values, [...path.slice(0, -1), source])))));
  };
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        style={{ flex: "1 1 200px" }}
        {...input}
        value={text}
        error={fault ?? (isTaken ? t("field.taken") : undefined)}
        rightSectionWidth={64}
        rightSection={isTaken === false && text !== "" && !fault ? <Muted size="xs">{t("field.free")}</Muted> : null}
      />
      {source === undefined || readOnly ? null : (
        <Button variant="default" onClick={propose}>
          {t("field.generate", { name: labelOf(siblings, source) })}
        </Button>
      )}
    </Group>
  );
};
