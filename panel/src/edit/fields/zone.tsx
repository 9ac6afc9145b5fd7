import { Group, Menu, Stack } from "@mantine/core";
import { type Component, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { ActionButton } from "../../ui/buttons.tsx";
import { isRecord, newEntry } from "../convert.ts";
import type { FieldProps } from "../field.tsx";
import { useOfForm } from "../form.ts";
import { Entry, useEntries, useEntryKeys } from "./component.tsx";
import { FieldFrame } from "./frame.tsx";
import { PasteButton } from "./paste-button.tsx";
import { Sortable, SortableItem } from "./sortable.tsx";

const byCategory = (components: readonly Component[]): readonly (readonly [string, readonly Component[]])[] =>
  [...new Set(components.map(({ category }) => category))].map(
    (category) => [category, components.filter((component) => component.category === category)] as const,
  );

export const ZoneField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const t = useText();
  const model = useModel();
  const keys = useEntryKeys(path);
  const fault = useOfForm((form) => form.fault(path));
  const { list, add, remove, move } = useEntries(path);
  const choices = (attribute.components ?? []).flatMap((uid) => model.component(uid) ?? []);
  const componentAt = (index: number): Component | undefined => {
    const entry = list()[index];
    return isRecord(entry) ? model.component(String(entry["__component"])) : undefined;
  };
  return (
    <FieldFrame label={label} attribute={attribute} fault={fault}>
      <Stack gap={6} mt={4}>
        <Sortable ids={keys} move={move}>
          {keys.map((key, index) => {
            const component = componentAt(index);
            return component ? (
              <SortableItem key={key} id={key} name={component.displayName} readOnly={readOnly}>
                {(grip) => (
                  <Entry
                    path={[...path, index]}
                    component={component}
                    readOnly={readOnly}
                    grip={grip}
                    inZone
                    remove={() => remove(index)}
                  />
                )}
              </SortableItem>
            ) : null;
          })}
        </Sortable>
        {readOnly ? null : (
          <Group>
            <Menu position="bottom-start" width={240}>
              <Menu.Target>
                <ActionButton icon="plus" size="xs" variant="default">
                  {t("field.addEntry")}
                </ActionButton>
              </Menu.Target>
              <Menu.Dropdown>
                {byCategory(choices).map(([category, components]) => (
                  <div key={category} role="group" aria-label={category}>
                    <Menu.Label>{category}</Menu.Label>
                    {components.map((component) => (
                      <Menu.Item key={component.uid} onClick={() => add(newEntry(model, component.uid, true))}>
                        {component.displayName}
                      </Menu.Item>
                    ))}
                  </div>
                ))}
              </Menu.Dropdown>
            </Menu>
            <PasteButton components={attribute.components ?? []} inZone add={add} />
          </Group>
        )}
      </Stack>
    </FieldFrame>
  );
};
