import { TextInput } from "@mantine/core";
import { useText } from "../../i18n/index.ts";
import { fromLocal, toLocal, zone } from "../../ui/time.ts";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { textOf, valueOf } from "./text.tsx";

/** The help of an attribute, and what is said of its values. */
const described = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.filter((text) => text !== undefined).join(" · ") || undefined;

export const NumberField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const { value, fault, set } = useField(path);
  const { min, max, required, panel } = attribute;
  const range = min === undefined && max === undefined ? undefined : `${min ?? "…"} – ${max ?? "…"}`;
  return (
    <TextInput
      label={label}
      description={described(panel?.help, range)}
      placeholder={panel?.placeholder}
      type="number"
      step={attribute.type === "integer" ? 1 : "any"}
      min={min}
      max={max}
      maw={260}
      withAsterisk={required}
      readOnly={readOnly}
      // As a number, or "1.0" would become "1" before "1.05" is typed.
      value={typeof value === "number" ? value : textOf(value)}
      error={fault}
      onChange={({ currentTarget: { value: text } }) => set(text === "" ? null : Number(text))}
    />
  );
};

const INPUTS: Readonly<Record<string, string>> = { date: "date", datetime: "datetime-local", time: "time" };

/** Adds the seconds and milliseconds that stored times have, but the browser's field omits. */
const timeOf = (text: string): string | null => (text === "" ? null : text.length === 5 ? `${text}:00.000` : text);

export const DateField = ({ label, path, attribute: { type, required, panel }, readOnly }: FieldProps) => {
  const t = useText();
  const { value, fault, set } = useField(path);
  const isInstant = type === "datetime";
  const shown = isInstant ? toLocal(value) : type === "time" ? textOf(value).slice(0, 5) : textOf(value);
  const parse = isInstant ? fromLocal : type === "time" ? timeOf : valueOf;
  return (
    <TextInput
      label={label}
      description={described(panel?.help, isInstant ? t("field.timezone", { zone: zone() }) : undefined)}
      type={INPUTS[type] ?? "text"}
      maw={260}
      withAsterisk={required}
      readOnly={readOnly}
      value={shown}
      error={fault}
      onChange={(event) => set(parse(event.currentTarget.value))}
    />
  );
};
