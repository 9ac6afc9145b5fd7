import { Anchor, Group, HoverCard, Input, Stack } from "@mantine/core";
import { lazy, Suspense, useId } from "react";
import { Link } from "wouter";
import { type ContentType, isToMany, titleOf, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { hrefOf } from "../../shell/addresses.ts";
import { IconButton } from "../../ui/buttons.tsx";
import { Muted } from "../../ui/states.tsx";
import { isLinked, type Linked } from "../convert.ts";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { FieldFrame } from "./frame.tsx";
import { Picker } from "./relation-picker.tsx";
import { moved, Sortable, SortableItem } from "./sortable.tsx";

const DocumentCard = lazy(async () => ({ default: (await import("./document-card.tsx")).DocumentCard }));

interface ItemProps {
  readonly type: ContentType;
  readonly item: Linked;
  readonly readOnly: boolean;
  /** Whether the relation has several targets, in order. */
  readonly many: boolean;
  remove(): void;
}

const LinkedItem = ({ type, item, readOnly, many, remove }: ItemProps) => {
  const t = useText();
  const title = titleOf(type.attributes, item) ?? item.documentId;
  return (
    <SortableItem id={item.documentId} name={title} readOnly={readOnly || !many}>
      {(grip) => (
        <Group gap="xs" px="xs" py={6} wrap="nowrap" className="entry">
          {grip}
          <HoverCard openDelay={400} width={320} position="bottom-start" shadow="md">
            <HoverCard.Target>
              <Anchor
                component={Link}
                href={hrefOf(type, { documentId: item.documentId })}
                size="sm"
                c="inherit"
                truncate
                style={{ flex: 1 }}
              >
                {title}
              </Anchor>
            </HoverCard.Target>
            <HoverCard.Dropdown>
              <Suspense>
                <DocumentCard type={type} documentId={item.documentId} />
              </Suspense>
            </HoverCard.Dropdown>
          </HoverCard>
          {readOnly ? null : (
            <IconButton icon="x" size="sm" label={`${t("action.remove")}: ${title}`} onClick={remove} />
          )}
        </Group>
      )}
    </SortableItem>
  );
};

const asList = (value: unknown): readonly Linked[] => (Array.isArray(value) ? value : [value]).filter(isLinked);

export const RelationField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const t = useText();
  const id = useId();
  const { value, fault, set } = useField(path);
  const type = useModel().type(attribute.target);
  const items = asList(value);
  const many = isToMany(attribute);
  const store = (next: readonly Linked[]): void => set(many ? next : (next.at(-1) ?? null));
  if (!type)
    return (
      <Input.Wrapper label={label} description={t("field.byCode")}>
        <Muted>{attribute.target ?? "–"}</Muted>
      </Input.Wrapper>
    );
  return (
    <FieldFrame label={label} attribute={attribute} fault={fault} id={id}>
      <Stack gap={6} mt={2}>
        <Sortable ids={items.map(({ documentId }) => documentId)} move={(from, to) => store(moved(items, from, to))}>
          {items.map((item) => (
            <LinkedItem
              key={item.documentId}
              type={type}
              item={item}
              readOnly={readOnly}
              many={many}
              remove={() => store(items.filter((other) => other !== item))}
            />
          ))}
        </Sortable>
        {readOnly || (!many && items.length > 0) ? null : (
          <Picker
            id={id}
            type={type}
            taken={new Set(items.map(({ documentId }) => documentId))}
            fault={fault}
            pick={(document) => store([...items, document])}
          />
        )}
        {readOnly && items.length === 0 ? <Muted>{t("field.empty")}</Muted> : null}
      </Stack>
    </FieldFrame>
  );
};
