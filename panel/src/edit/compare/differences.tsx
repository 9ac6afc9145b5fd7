/** Shows how two versions of a document differ, attribute by attribute, in words and pictures. */
import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import { type Attribute, type Attributes, isShown, labelOf, type Model, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { isFile, Thumbnail } from "../../media/thumbnail.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Muted } from "../../ui/states.tsx";
import type { Values } from "../form.ts";
import { textOf } from "./text.ts";

const Words = lazy(async () => ({ default: (await import("./words.tsx")).Words }));

interface Difference {
  readonly attribute: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The attributes in which two versions differ. */
export const differencesOf = (model: Model, attributes: Attributes, from: Values, to: Values): readonly Difference[] =>
  Object.entries(attributes)
    .filter(([, attribute]) => isShown(attribute))
    .filter(([name, attribute]) => contentOf(model, attribute, from[name]) !== contentOf(model, attribute, to[name]))
    .map(([name]) => ({ attribute: name, from: from[name], to: to[name] }));

/** What distinguishes two values: their content, without the ids of entries, which each version has of its own. */
const contentOf = (model: Model, attribute: Attribute, value: unknown): string =>
  ["component", "dynamiczone", "relation", "media"].includes(attribute.type)
    ? textOf(model, attribute, value) + filesIn(value).map(({ id }) => id)
    : JSON.stringify(value ?? null);

/** The files in a value, at any depth. */
const filesIn = (value: unknown): readonly { readonly id: number }[] => {
  if (typeof value !== "object" || value === null) return [];
  return isFile(value) ? [value] : Object.values(value).flatMap(filesIn);
};

const Pictures = ({ value }: { readonly value: unknown }) => {
  const files = (Array.isArray(value) ? value : [value]).filter(isFile);
  return (
    <Group gap="xs">
      {files.map((file) => (
        <Thumbnail key={file.id} file={file} size={64} />
      ))}
      {files.length === 0 ? <Text c="dimmed">–</Text> : null}
    </Group>
  );
};

const DifferenceItem = ({
  attributes,
  difference: { attribute: name, from, to },
}: {
  readonly attributes: Attributes;
  readonly difference: Difference;
}) => {
  const model = useModel();
  const attribute = attributes[name];
  return (
    <Stack gap={4} component="section" aria-label={labelOf(attributes, name)}>
      <Text fw={600} size="sm">
        {labelOf(attributes, name)}
      </Text>
      {attribute?.type === "media" ? (
        <Group gap="sm">
          <Pictures value={from} />
          <Icon name="chevronRight" />
          <Pictures value={to} />
        </Group>
      ) : (
        <Suspense fallback={<Skeleton height={20} />}>
          <Words before={textOf(model, attribute, from)} after={textOf(model, attribute, to)} />
        </Suspense>
      )}
    </Stack>
  );
};

interface Props {
  readonly attributes: Attributes;
  readonly differences: readonly Difference[];
}

export const Differences = ({ attributes, differences }: Props) => {
  const t = useText();
  if (differences.length === 0) return <Muted>{t("compare.same")}</Muted>;
  return (
    <Stack gap="lg">
      {differences.map((difference) => (
        <DifferenceItem key={difference.attribute} attributes={attributes} difference={difference} />
      ))}
    </Stack>
  );
};
