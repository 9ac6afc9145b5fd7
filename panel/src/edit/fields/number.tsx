import { TextInput } from "@mantine/core";
import { useText } from "../../i18n/index.ts";
import { fromLocal, toLocal, zone } from "../../ui/time.ts";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { useTextInput, valueOf } from "./text.tsx";

/** The help of an attribute, and what is said of its values. */
const described = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.filter((text) => text !== undefined).join(" · ") || undefined;

export const NumberField = (props: FieldProps) => {
  const { type, min, max, panel } = props.attribute;
  const { value } = useField(props.path);
  const input = useTextInput(props, (text) => (text === "" ? null : Number(text)));
  const range = min === undefined && max === undefined ? undefined : `${min ?? "…"} – ${max ?? "…"}`;
  return (
    <TextInput
      {...input}
      description={described(panel?.help, range)}
      type="number"
      step={type === "integer" ? 1 : "any"}
      min={min}
      max={max}
      maw={260}
      // As a number, or "1.0" would become "1" before "1.05" is typed.
      value={typeof value === "number" ? value : input.value}
    />
  );
};

const INPUTS: Readonly<Record<string, string>> = { date: "date", datetime: "datetime-local", time: "time" };

/** Adds the seconds and milliseconds that stored times have, but the browser's field omits. */
const timeOf = (text: string): string | null => (text === "" ? null : text.length === 5 ? `${text}:00.000` : text);

export const DateField = (props: FieldProps) => {
  const t = useText();
  const { type, panel } = props.attribute;
  const { value } = useField(props.path);
  const isInstant = type === "datetime";
  const input = useTextInput(props, isInstant ? fromLocal : type === "time" ? timeOf : valueOf);
  return (
    <TextInput
      {...input}
      description={described(panel?.help, isInstant ? t("field.timezone", { zone: zone() }) : undefined)}
      type={INPUTS[type] ?? "text"}
      maw={260}
      value={isInstant ? toLocal(value) : type === "time" ? input.value.slice(0, 5) : input.value}
    />
  );
};
