import { Menu } from "@mantine/core";
import { type Component, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { ActionButton } from "../../ui/buttons.tsx";
import { isRecord, newEntry } from "../convert.ts";
import type { FieldProps } from "../field.tsx";
import { useOfForm } from "../form.ts";
import { Entries } from "./component.tsx";
import { FieldFrame } from "./frame.tsx";
import { PasteButton } from "./paste-button.tsx";

const byCategory = (components: readonly Component[]): readonly (readonly [string, readonly Component[]])[] =>
  [...new Set(components.map(({ category }) => category))].map(
    (category) => [category, components.filter((component) => component.category === category)] as const,
  );

export const ZoneField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const t = useText();
  const model = useModel();
  const fault = useOfForm((form) => form.fault(path));
  const choices = (attribute.components ?? []).flatMap((uid) => model.component(uid) ?? []);
  const componentOf = (entry: unknown): Component | undefined =>
    isRecord(entry) ? model.component(String(entry["__component"])) : undefined;
  return (
    <FieldFrame label={label} attribute={attribute} fault={fault}>
      <Entries path={path} readOnly={readOnly} inZone componentOf={componentOf}>
        {(add) => (
          <>
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
          </>
        )}
      </Entries>
    </FieldFrame>
  );
};
