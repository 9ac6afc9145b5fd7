import { Radio, Group, Select, Switch } from "@mantine/core";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { inputProps } from "./frame.tsx";

/** Up to this many choices are all visible at once. */
const FEW = 4;

export const EnumerationField = (props: FieldProps) => {
  const { attribute, readOnly } = props;
  const { value, fault, set } = useField(props.path);
  const { readOnly: _readOnly, placeholder: _placeholder, ...group } = inputProps(props, fault);
  const choices = attribute.enum ?? [];
  const chosen = typeof value === "string" ? value : null;
  if (choices.length <= FEW && attribute.required)
    return (
      <Radio.Group {...group} value={chosen} onChange={(next) => set(next)}>
        <Group mt={6}>
          {choices.map((choice) => (
            <Radio key={choice} value={choice} label={choice} disabled={readOnly} />
          ))}
        </Group>
      </Radio.Group>
    );
  return (
    <Select
      {...inputProps(props, fault)}
      data={[...choices]}
      value={chosen}
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
