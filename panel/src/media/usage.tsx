/** The documents that use a file. */
import { Anchor, Skeleton, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { send } from "../api/client.ts";
import { titleOf, useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { hrefOf } from "../shell/addresses.ts";
import { Loaded, Muted } from "../ui/states.tsx";
import type { MediaFile } from "./thumbnail.tsx";

interface Related {
  readonly __type: string;
  readonly documentId: string;
  readonly [name: string]: unknown;
}

const useRelated = ({ id }: MediaFile) =>
  useQuery({
    queryKey: ["files", "related", id],
    queryFn: async () =>
      (await send<{ related?: readonly Related[] }>("GET", `/upload/files/${id}`, { query: { populate: "related" } }))
        .related ?? [],
  });

export const Usage = ({ file }: { readonly file: MediaFile }) => {
  const t = useText();
  const model = useModel();
  const query = useRelated(file);
  const { data } = query;
  // The versions of a document count as one.
  const documents = new Map(data?.map((each) => [each.documentId, each]));
  const shown = [...documents.values()].flatMap(({ __type: uid, ...document }) => {
    const type = model.type(uid);
    return type ? [{ document, type }] : [];
  });
  return (
    <Stack gap={4} component="section" aria-label={t("media.usage")}>
      <Title order={3} size="sm">
        {t("media.usage")}
      </Title>
      <Loaded query={query} loading={<Skeleton height={20} />}>
        {() =>
          shown.map(({ document, type }) => (
            <Anchor
              key={document.documentId}
              component={Link}
              href={hrefOf(type, { documentId: document.documentId })}
              size="sm"
            >
              {type.displayName}: {titleOf(type.attributes, document) ?? document.documentId}
            </Anchor>
          ))
        }
      </Loaded>
      <Muted size="xs">
        {data && shown.length === 0 ? `${t("media.unused")} ` : ""}
        {t("media.usageNote")}
      </Muted>
    </Stack>
  );
};
