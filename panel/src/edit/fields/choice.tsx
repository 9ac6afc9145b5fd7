import { Radio, Group, Select, Switch } from "@mantine/core";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";

/** Up to this many choices are all visible at once. */
const FEW = 4;

export const EnumerationField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const { value, fault, set } = useField(path);
  const choices = attribute.enum ?? [];
  const chosen = typeof value === "string" ? value : null;
  if (choices.length <= FEW && attribute.required)
    return (
      <Radio.Group
        label={label}
        description={attribute.panel?.help}
        withAsterisk
        value={chosen}
        error={fault}
        onChange={(next) => set(next)}
      >
        <Group mt={6}>
          {choices.map((choice) => (
            <Radio key={choice} value={choice} label={choice} disabled={readOnly} />
          ))}
        </Group>
      </Radio.Group>
    );
  return (
    <Select
      label={label}
      description={attribute.panel?.help}
      placeholder={attribute.panel?.placeholder}
      withAsterisk={attribute.required}
      data={[...choices]}
      value={chosen}
      error={fault}
      readOnly={readOnly}
      clearable={!attribute.required}
      searchable={choices.length > 8}
      onChange={(next) => set(next)}
    />
  );
};

export const BooleanField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const { value, fault, set } = useField(path);
  return (
    <Switch
      label={label}
      description={attribute.panel?.help}
      checked={value === true}
      error={fault}
      disabled={readOnly}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
};
