/** What a document is, at a glance. */
import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useContext, useMemo } from "react";
import { type ContentType, labelOf, mainAttribute, titleOf, useModel } from "../../api/description.ts";
import { stateOf } from "../../api/documents.ts";
import { useText } from "../../i18n/index.ts";
import { isFile, isImage, Thumbnail } from "../../media/thumbnail.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { textOf } from "../compare/text.ts";
import { useVersions } from "../document.ts";
import { PlaceContext } from "../place.ts";

/** Most values that a card shows. */
const MOST = 3;

export const DocumentCard = ({ type, documentId }: { readonly type: ContentType; readonly documentId: string }) => {
  const t = useText();
  const model = useModel();
  const around = useContext(PlaceContext);
  const locale = type.localized ? (around?.locale ?? model.locales.default) : undefined;
  const place = useMemo(() => ({ type, documentId, locale }), [type, documentId, locale]);
  const { data: versions, error } = useVersions(place);
  const document = (versions?.draft ?? versions?.published)?.data;
  if (!document) return versions || error ? <Text size="sm">{t("edit.notFound")}</Text> : <Skeleton height={64} />;
  const picture = Object.values(document)
    .flat()
    .find((value) => isFile(value) && isImage(value));
  const values = Object.entries(type.attributes)
    .filter(([name, attribute]) => name !== mainAttribute(type.attributes) && attribute.type !== "media")
    .map(([name, attribute]) => [name, textOf(model, attribute, document[name])] as const)
    .filter(([, text]) => text !== "")
    .slice(0, MOST);
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      {isFile(picture) ? <Thumbnail file={picture} size={64} /> : null}
      <Stack gap={4} style={{ minWidth: 0 }}>
        <Text fw={600} size="sm">
          {titleOf(type.attributes, document) ?? t("edit.untitled", { name: type.displayName })}
        </Text>
        {type.draftAndPublish ? <StatusMark status={stateOf(document, versions?.published?.data.updatedAt)} /> : null}
        {values.map(([name, text]) => (
          <Text key={name} size="xs" c="dimmed" lineClamp={2}>
            {labelOf(type.attributes, name)}: {text}
          </Text>
        ))}
      </Stack>
    </Group>
  );
};
