import { Button, Popover, Select, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { type Attribute, type ContentType, isShown, labelOf, NUMBERS, TIMES, useModel } from "../api/description.ts";
import { DocumentSelect } from "../edit/fields/document-select.tsx";
import { type Translate, useText } from "../i18n/index.ts";
import { Icon } from "../ui/icons.tsx";
import type { Condition } from "./state.ts";

const TEXT = ["$containsi", "$eq", "$ne", "$startsWithi", "$null", "$notNull"] as const;
const ORDERED = ["$eq", "$ne", "$gt", "$lt", "$null", "$notNull"] as const;
const CHOSEN = ["$eq", "$ne", "$null", "$notNull"] as const;
const LINKED = ["$eq", "$null", "$notNull"] as const;

type Operator = (typeof TEXT | typeof ORDERED)[number];

/** The same value for several types. */
const each = <Value,>(types: readonly string[], value: Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(types.map((type) => [type, value]));

const OPERATORS: Readonly<Record<string, readonly Operator[]>> = {
  ...each(["string", "text", "richtext", "email", "uid"], TEXT),
  ...each([...NUMBERS, ...TIMES], ORDERED),
  enumeration: CHOSEN,
  boolean: ["$eq", "$null"],
  relation: LINKED,
};

const INPUT_TYPES: Readonly<Record<string, string>> = {
  ...each(NUMBERS, "number"),
  date: "date",
  datetime: "datetime-local",
  time: "time",
};

const takesValue = (operator: string): boolean => !["$null", "$notNull"].includes(operator);

const isOperator = (text: string): text is Operator => [...TEXT, ...ORDERED].some((operator) => operator === text);

/** The text of a condition, which follows the name of the field. */
export const operatorText = (t: Translate, { operator, value }: Condition): string => {
  const words = isOperator(operator) ? t(`filter.${operator}`) : operator;
  return takesValue(operator) ? `${words} ${value}` : words;
};

interface ValueProps {
  readonly attribute: Attribute | undefined;
  readonly value: string;
  change(value: string): void;
}

const ValueInput = ({ attribute, value, change }: ValueProps) => {
  const t = useText();
  const model = useModel();
  const label = t("filter.value");
  const target = model.type(attribute?.target);
  if (target) return <DocumentSelect label={label} type={target} value={value} change={change} />;
  if (attribute?.type === "boolean" || attribute?.enum) {
    const choices = attribute.enum?.map((each) => ({ value: each, label: each })) ?? [
      { value: "true", label: t("filter.true") },
      { value: "false", label: t("filter.false") },
    ];
    return (
      <Select
        label={label}
        data={choices}
        value={value}
        onChange={(next) => change(next ?? "")}
        comboboxProps={{ withinPortal: false }}
      />
    );
  }
  return (
    <TextInput
      label={label}
      type={INPUT_TYPES[attribute?.type ?? ""] ?? "text"}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
};

/** Builds a condition: field, operator and value. */
export const FilterForm = ({ type, add }: { readonly type: ContentType; add(condition: Condition): void }) => {
  const t = useText();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const names = Object.keys(type.attributes).filter((name) => {
    const attribute = type.attributes[name];
    return attribute && isShown(attribute) && OPERATORS[attribute.type];
  });
  const [field, setField] = useState(names[0] ?? "");
  const [operator, setOperator] = useState<string>();
  const [value, setValue] = useState("");
  const attribute = type.attributes[field];
  const operators = OPERATORS[attribute?.type ?? ""] ?? [];
  const used = operators.some((each) => each === operator) ? operator : operators[0];
  const apply = (): void => {
    if (used === undefined) return;
    add({ field, operator: used, value: takesValue(used) ? value : "true" });
    setValue("");
    close();
  };
  return (
    <Popover opened={isOpen} onChange={close} width={280} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="filter" />} onClick={toggle}>
          {t("filter.add")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            apply();
          }}
        >
          <Stack gap="sm">
            <Select
              label={t("filter.field")}
              data={names.map((name) => ({ value: name, label: labelOf(type.attributes, name) }))}
              value={field}
              searchable
              openOnFocus={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(next) => {
                setField(next ?? field);
                setValue("");
              }}
            />
            <Select
              label={t("filter.operator")}
              data={operators.map((each) => ({ value: each, label: t(`filter.${each}`) }))}
              value={used ?? null}
              comboboxProps={{ withinPortal: false }}
              onChange={(next) => setOperator(next ?? undefined)}
            />
            {used !== undefined && takesValue(used) ? (
              <ValueInput attribute={attribute} value={value} change={setValue} />
            ) : null}
            <Button type="submit" disabled={used !== undefined && takesValue(used) && value === ""}>
              {t("filter.apply")}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
};
