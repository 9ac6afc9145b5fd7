import { Group, PasswordInput, Text, Textarea, TextInput } from "@mantine/core";
import type { Attribute } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";

export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : String(value);

/** An empty input means no value. */
export const valueOf = (text: string): string | null => (text === "" ? null : text);

/** Shows the number of characters, and the limit. */
export const Counter = ({
  value,
  attribute: { maxLength },
}: {
  readonly value: unknown;
  readonly attribute: Attribute;
}) => {
  const t = useText();
  const { length } = textOf(value);
  if (maxLength === undefined || length < maxLength * 0.6) return null;
  return (
    <Text size="xs" c={length > maxLength ? "red" : "dimmed"} ta="right" mt={4} aria-live="polite">
      {t("field.characters", { n: length, max: maxLength })}
    </Text>
  );
};

export const StringField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const { value, fault, set } = useField(path);
  return (
    <>
      <TextInput
        label={label}
        description={attribute.panel?.help}
        placeholder={attribute.panel?.placeholder}
        type={attribute.type === "email" ? "email" : "text"}
        inputMode={attribute.type === "biginteger" ? "numeric" : undefined}
        withAsterisk={attribute.required}
        readOnly={readOnly}
        value={textOf(value)}
        error={fault}
        onChange={(event) => set(valueOf(event.currentTarget.value))}
      />
      <Counter value={value} attribute={attribute} />
    </>
  );
};

export const TextField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const { value, fault, set } = useField(path);
  return (
    <>
      <Textarea
        label={label}
        description={attribute.panel?.help}
        placeholder={attribute.panel?.placeholder}
        withAsterisk={attribute.required}
        readOnly={readOnly}
        autosize
        minRows={3}
        maxRows={16}
        value={textOf(value)}
        error={fault}
        onChange={(event) => set(valueOf(event.currentTarget.value))}
      />
      <Counter value={value} attribute={attribute} />
    </>
  );
};

export const PasswordField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const t = useText();
  const { value, fault, set } = useField(path);
  return (
    <Group gap={0} grow>
      <PasswordInput
        label={label}
        description={attribute.panel?.help ?? t("field.password")}
        autoComplete="new-password"
        readOnly={readOnly}
        value={textOf(value)}
        error={fault}
        onChange={(event) => set(valueOf(event.currentTarget.value))}
      />
    </Group>
  );
};
