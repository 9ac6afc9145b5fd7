import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useMemo, useState } from "react";
import { Link } from "wouter";
import { type ContentType, mainAttribute, useModel } from "../api/description.ts";
import { useList } from "../api/documents.ts";
import { documentsIn, useText } from "../i18n/index.ts";
import { hrefOf } from "../shell/navigation.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, Failed, LoadingRows } from "../ui/states.tsx";
import { BulkBar } from "./bulk.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { Pages } from "./pages.tsx";
import { filtersOf, useListState } from "./state.ts";
import { ListTable } from "./table.tsx";
import { Toolbar } from "./toolbar.tsx";
import { ViewsMenu } from "./views.tsx";

const DeletedDialog = lazy(async () => ({ default: (await import("./deleted.tsx")).DeletedDialog }));

const CreateButton = ({ type }: { readonly type: ContentType }) => (
  <Button component={Link} href={`${hrefOf(type)}/new`} leftSection={<Icon name="plus" />}>
    {useText()("action.create", { name: type.displayName })}
  </Button>
);

/** A list of the documents of a type. */
export const ListPage = ({ type }: { readonly type: ContentType }) => {
  const t = useText();
  const model = useModel();
  const main = mainAttribute(type.attributes);
  const { state, change, chooseColumns } = useListState(type, main);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const locale = type.localized ? (state.locale ?? model.homeLocale(type)) : undefined;
  const { conditions, before: _before, ...shown } = state;
  const query = { ...shown, locale, filters: filtersOf(type, conditions) };
  const { data, error, refetch, isPlaceholderData } = useList(model, type, query);
  const isNarrowed = state.search !== "" || conditions.length > 0 || state.publication !== undefined;
  const [isDeleted, deleted] = useDisclosure(false);
  const mayCreate = model.canIn(`${type.uid}.create`, locale);
  const rows = useMemo(() => data?.data.filter(({ documentId }) => chosen.has(documentId)) ?? [], [data, chosen]);

  return (
    <Stack gap="md" p={{ base: "md", md: "xl" }} maw={1280} mx="auto">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1}>{type.displayName}</Title>
          <Text c="dimmed" size="sm" mih="1.4em" aria-live="polite">
            {data ? documentsIn(t, data.meta.pagination.total) : ""}
          </Text>
        </div>
        <Group gap="sm">
          {model.can(`${type.uid}.findDeleted`) ? (
            <Button variant="default" leftSection={<Icon name="trash" />} onClick={deleted.open} visibleFrom="sm">
              {t("list.deleted")}
            </Button>
          ) : null}
          <ViewsMenu type={type} />
          <ExportMenu type={type} query={query} />
          {mayCreate ? <CreateButton type={type} /> : null}
        </Group>
      </Group>
      <Toolbar type={type} state={state} locale={locale} change={change} chooseColumns={chooseColumns} />
      <div className="surface" aria-busy={isPlaceholderData}>
        {rows.length === 0 ? null : (
          <BulkBar type={type} rows={rows} locale={locale} clear={() => setChosen(new Set())} />
        )}
        {error ? (
          <Failed error={error} retry={() => (state.after === "" ? void refetch() : change({ after: undefined }))} />
        ) : null}
        {!data && !error ? <LoadingRows /> : null}
        {data && data.data.length === 0 ? (
          <Empty
            icon={isNarrowed ? "search" : "stack"}
            title={t(isNarrowed ? "list.nothing" : "list.empty")}
            text={t(isNarrowed ? "list.nothingText" : "list.emptyText")}
          />
        ) : null}
        {data && data.data.length > 0 ? (
          <>
            <ListTable
              type={type}
              state={state}
              list={data}
              chosen={chosen}
              choose={setChosen}
              change={change}
              locale={locale}
            />
            <Pages position={state} rows={data.data.length} pagination={data.meta.pagination} change={change} />
          </>
        ) : null}
      </div>
      {isDeleted ? (
        <Suspense>
          <DeletedDialog type={type} close={deleted.close} />
        </Suspense>
      ) : null}
    </Stack>
  );
};
