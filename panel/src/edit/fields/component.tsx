import { Collapse, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { memo, type ReactNode } from "react";
import { type Component, titleOf, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { ActionButton, IconButton } from "../../ui/buttons.tsx";
import { Icon } from "../../ui/icons.tsx";
import { tell } from "../../ui/notify.ts";
import { Muted } from "../../ui/states.tsx";
import { isRecord, KEY, newEntry } from "../convert.ts";
import { type FieldProps, Fields } from "../field.tsx";
import { type Path, useField, useForm, useOfForm, valueAt } from "../form.ts";
import { useCopiedEntry } from "./copied-entry.ts";
import { FieldFrame } from "./frame.tsx";
import { PasteButton } from "./paste-button.tsx";
import { moved, Sortable, SortableItem } from "./sortable.tsx";

/** Existing entries start collapsed, new ones open. */
const isNew = (entry: unknown): boolean => isRecord(entry) && entry["id"] === undefined;

interface EntryProps {
  readonly path: Path;
  readonly component: Component;
  readonly readOnly: boolean;
  readonly grip?: ReactNode;
  /** Whether to show the name of the component. */
  readonly inZone?: boolean;
  remove?(): void;
}

/** One collapsible entry of a component. */
const Entry = memo(function Entry({ path, component, readOnly, grip, inZone, remove }: EntryProps) {
  const t = useText();
  const form = useForm();
  const [isOpen, { toggle }] = useDisclosure(isNew(valueAt(form.values, path)));
  const title = useOfForm(({ values }) => {
    const entry = valueAt(values, path);
    return titleOf(component.attributes, isRecord(entry) ? entry : undefined);
  });
  const hasFault = useOfForm((state) => state.hasFault(path));
  const { copy } = useCopiedEntry();
  const name = title ?? component.displayName;
  return (
    <div className="entry">
      <Group gap="xs" px="xs" py={8} wrap="nowrap">
        {grip}
        <UnstyledButton onClick={toggle} aria-expanded={isOpen} style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs" wrap="nowrap">
            <Text
              c="dimmed"
              component="span"
              style={{ display: "flex", transform: isOpen ? "rotate(90deg)" : undefined }}
            >
              <Icon name="chevronRight" size={14} />
            </Text>
            <Text size="sm" fw={550} truncate>
              {name}
            </Text>
            {inZone && title !== undefined ? (
              <Text size="xs" c="dimmed" style={{ flex: "none" }}>
                {component.displayName}
              </Text>
            ) : null}
            {hasFault ? (
              <Text c="red" component="span" style={{ display: "flex" }}>
                <Icon name="alert" size={14} />
              </Text>
            ) : null}
          </Group>
        </UnstyledButton>
        <IconButton
          icon="copy"
          iconSize={14}
          size="sm"
          label={`${t("action.copy")}: ${name}`}
          onClick={() => {
            copy(component.uid, valueAt(form.values, path));
            tell(t("field.copied"));
          }}
        />
        {readOnly || !remove ? null : (
          <IconButton icon="trash" iconSize={14} size="sm" label={`${t("action.remove")}: ${name}`} onClick={remove} />
        )}
      </Group>
      <Collapse expanded={isOpen || hasFault}>
        <div className="entry-body">
          {isOpen || hasFault ? (
            <Fields attributes={component.attributes} path={path} readOnly={readOnly} groups={component.panel.groups} />
          ) : null}
        </div>
      </Collapse>
    </div>
  );
});

/** The keys of a list's entries. Selected as one string, which changes only if entries are added, removed or moved. */
const useEntryKeys = (path: Path): readonly string[] => {
  const joined = useOfForm(({ values }) => {
    const list = valueAt(values, path);
    return Array.isArray(list) ? list.map((entry) => (isRecord(entry) ? String(entry[KEY]) : "")).join(" ") : "";
  });
  return joined === "" ? [] : joined.split(" ");
};

interface EntriesProps extends Pick<EntryProps, "path" | "readOnly" | "inZone"> {
  /** The component of an entry, and of those that are added. */
  componentOf(entry: unknown): Component | undefined;
  /** What adds entries. */
  children(add: (entry: unknown) => void): ReactNode;
}

/** A list of entries, which is not rendered again when a single entry changes. */
export const Entries = ({ path, readOnly, inZone = false, componentOf, children }: EntriesProps) => {
  const form = useForm();
  const keys = useEntryKeys(path);
  const list = (): readonly unknown[] => {
    const value = valueAt(form.values, path);
    return Array.isArray(value) ? value : [];
  };
  const entryAt = (key: string, index: number): ReactNode => {
    const component = componentOf(list()[index]);
    return component ? (
      <SortableItem key={key} id={key} name={component.displayName} readOnly={readOnly}>
        {(grip) => (
          <Entry
            path={[...path, index]}
            component={component}
            readOnly={readOnly}
            grip={grip}
            inZone={inZone}
            remove={() => form.set(path, list().toSpliced(index, 1))}
          />
        )}
      </SortableItem>
    ) : null;
  };
  return (
    <Stack gap={6} mt={4}>
      <Sortable ids={keys} move={(from, to) => form.set(path, moved(list(), from, to))}>
        {keys.map(entryAt)}
      </Sortable>
      {readOnly ? null : <Group>{children((entry) => form.set(path, [...list(), entry]))}</Group>}
    </Stack>
  );
};

interface AddProps {
  readonly component: Component;
  readonly label: string;
  add(entry: unknown): void;
}

/** What adds an entry of a component: empty, or one that was copied. */
const Adding = ({ component: { uid }, label, add }: AddProps) => {
  const model = useModel();
  return (
    <>
      <ActionButton icon="plus" size="xs" variant="default" onClick={() => add(newEntry(model, uid, false))}>
        {label}
      </ActionButton>
      <PasteButton components={[uid]} inZone={false} add={add} />
    </>
  );
};

const Repeated = ({ path, component, readOnly }: EntryProps) => {
  const t = useText();
  return (
    <Entries path={path} readOnly={readOnly} componentOf={() => component}>
      {(add) => <Adding component={component} label={t("field.addEntry")} add={add} />}
    </Entries>
  );
};

const Single = ({ path, component, readOnly }: EntryProps) => {
  const t = useText();
  const { set } = useField(path);
  const isThere = useOfForm(({ values }) => isRecord(valueAt(values, path)));
  if (isThere) return <Entry path={path} component={component} readOnly={readOnly} remove={() => set(null)} />;
  return readOnly ? (
    <Muted>{t("field.none")}</Muted>
  ) : (
    <Group>
      <Adding component={component} label={t("action.add")} add={set} />
    </Group>
  );
};

export const ComponentField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const component = useModel().component(attribute.component);
  const fault = useOfForm((form) => form.fault(path));
  if (!component) return null;
  const props = { path, component, readOnly };
  return (
    <FieldFrame label={label} attribute={attribute} fault={fault}>
      <div style={{ marginTop: 4 }}>{attribute.repeatable ? <Repeated {...props} /> : <Single {...props} />}</div>
    </FieldFrame>
  );
};
