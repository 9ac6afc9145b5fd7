import { TextInput } from "@mantine/core";
import { useText } from "../i18n/index.ts";
import { Icon } from "./icons.tsx";

interface Props {
  readonly value: string;
  readonly autofocus?: boolean;
  search(text: string): void;
}

export const SearchInput = ({ value, autofocus, search }: Props) => {
  const t = useText();
  return (
    <TextInput
      type="search"
      style={{ flex: "1 1 220px" }}
      data-autofocus={autofocus}
      aria-label={t("action.search")}
      placeholder={t("action.search")}
      leftSection={<Icon name="search" />}
      value={value}
      onChange={(event) => search(event.currentTarget.value)}
    />
  );
};
