import { TextInput } from "@mantine/core";
import { useText } from "../i18n/index.ts";
import { Icon } from "./icons.tsx";

interface Props {
  readonly value: string;
  readonly autofocus?: boolean;
  readonly label?: string;
  search(text: string): void;
}

export const SearchInput = ({ value, autofocus, label, search }: Props) => {
  const t = useText();
  const name = label ?? t("action.search");
  return (
    <TextInput
      type="search"
      style={{ flex: "1 1 220px" }}
      data-autofocus={autofocus}
      aria-label={name}
      placeholder={name}
      leftSection={<Icon name="search" />}
      value={value}
      onChange={(event) => search(event.currentTarget.value)}
    />
  );
};
