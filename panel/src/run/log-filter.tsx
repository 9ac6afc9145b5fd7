import { Select, type SelectProps } from "@mantine/core";
import { useText } from "../i18n/index.ts";

interface Props extends Pick<SelectProps, "data" | "value" | "placeholder"> {
  readonly label: string;
  choose(value: string | null): void;
}

/** Narrows a log to one kind of entries. */
export const LogFilter = ({ label, choose, ...props }: Props) => (
  <Select
    w={220}
    aria-label={label}
    clearable
    clearButtonProps={{ "aria-label": useText()("filter.clear") }}
    onChange={choose}
    {...props}
  />
);
