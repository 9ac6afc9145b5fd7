import { Group, PasswordInput, Text, Textarea, TextInput } from "@mantine/core";
import type { ChangeEvent } from "react";
import { useText } from "../../i18n/index.ts";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { inputProps } from "./frame.tsx";

export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : String(value);

/** An empty input means no value. */
export const valueOf = (text: string): string | null => (text === "" ? null : text);

/** Shows the number of characters, and the limit. */
export const Counter = ({ value, attribute: { maxLength } }: Pick<FieldProps, "attribute"> & { value: unknown }) => {
  const t = useText();
  const { length } = textOf(value);
  if (maxLength === undefined || length < maxLength * 0.6) return null;
  return (
    <Text size="xs" c={length > maxLength ? "red" : "dimmed"} ta="right" mt={4} aria-live="polite">
      {t("field.characters", { n: length, max: maxLength })}
    </Text>
  );
};

/** The props of an input of text, by default those with which it is stored as typed. */
export const useTextInput = (props: FieldProps, parse: (text: string) => unknown = valueOf) => {
  const { value, fault, set } = useField(props.path);
  return {
    ...inputProps(props, fault),
    value: textOf(value),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set(parse(currentTarget.value)),
  };
};

export const StringField = (props: FieldProps) => {
  const { attribute } = props;
  const input = useTextInput(props);
  return (
    <>
      <TextInput
        {...input}
        type={attribute.type === "email" ? "email" : "text"}
        inputMode={attribute.type === "biginteger" ? "numeric" : undefined}
      />
      <Counter value={input.value} attribute={attribute} />
    </>
  );
};

export const TextField = (props: FieldProps) => {
  const input = useTextInput(props);
  return (
    <>
      <Textarea {...input} autosize minRows={3} maxRows={16} />
      <Counter value={input.value} attribute={props.attribute} />
    </>
  );
};

export const PasswordField = (props: FieldProps) => {
  const t = useText();
  const { description = t("field.password"), ...input } = useTextInput(props);
  return (
    <Group gap={0} grow>
      <PasswordInput {...input} description={description} autoComplete="new-password" withAsterisk={false} />
    </Group>
  );
};
