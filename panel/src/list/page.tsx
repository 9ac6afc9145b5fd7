import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useMemo, useState } from "react";
import { Link } from "wouter";
import { type ContentType, mainAttribute, useModel } from "../api/description.ts";
import { useList } from "../api/documents.ts";
import { documentsIn, useText } from "../i18n/index.ts";
import { newHref } from "../shell/addresses.ts";
import { ActionButton } from "../ui/buttons.tsx";
import { Frame } from "../ui/frame.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, Loaded, LoadingRows } from "../ui/states.tsx";
import { DocumentsBulkBar } from "./bulk.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { Pages } from "./pages.tsx";
import { filtersOf, type ListState, useListState } from "./state.ts";
import { ListTable } from "./table.tsx";
import { Toolbar } from "./toolbar.tsx";
import { ViewsMenu } from "./views.tsx";

const DeletedDialog = lazy(async () => ({ default: (await import("./deleted.tsx")).DeletedDialog }));

const CreateButton = ({ type }: { readonly type: ContentType }) => (
  <Button component={Link} href={newHref(type)} leftSection={<Icon name="plus" />}>
    {useText()("action.create", { name: type.displayName })}
  </Button>
);

const Nothing = ({ state: { search, conditions, publication } }: { readonly state: ListState }) => {
  const t = useText();
  const isNarrowed = search !== "" || conditions.length > 0 || publication !== undefined;
  return isNarrowed ? (
    <Empty icon="search" title={t("list.nothing")} text={t("list.nothingText")} />
  ) : (
    <Empty icon="stack" title={t("list.empty")} text={t("list.emptyText")} />
  );
};

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
  const found = useList(model, type, query);
  const total = found.data?.meta.pagination.total;
  const [isDeleted, deleted] = useDisclosure(false);
  const rows = useMemo(
    () => found.data?.data.filter((each) => chosen.has(each.documentId)) ?? [],
    [found.data, chosen],
  );
  const retry = () => (state.after === "" ? found.refetch() : change({ after: undefined }));

  return (
    <Frame
      title={type.displayName}
      text={total === undefined ? "" : documentsIn(t, total)}
      width={1280}
      action={
        <Group gap="sm">
          {model.can(`${type.uid}.findDeleted`) ? (
            <ActionButton icon="trash" variant="default" onClick={deleted.open} visibleFrom="sm">
              {t("list.deleted")}
            </ActionButton>
          ) : null}
          <ViewsMenu type={type} />
          <ExportMenu type={type} query={query} />
          {model.canIn(`${type.uid}.create`, locale) ? <CreateButton type={type} /> : null}
        </Group>
      }
    >
      <Toolbar type={type} state={state} locale={locale} change={change} chooseColumns={chooseColumns} />
      <div className="surface" aria-busy={found.isPlaceholderData}>
        {rows.length === 0 ? null : (
          <DocumentsBulkBar type={type} rows={rows} locale={locale} clear={() => setChosen(new Set())} />
        )}
        <Loaded query={{ ...found, refetch: retry }} loading={<LoadingRows />}>
          {(list) =>
            list.data.length === 0 ? (
              <Nothing state={state} />
            ) : (
              <>
                <ListTable
                  type={type}
                  state={state}
                  list={list}
                  chosen={chosen}
                  choose={setChosen}
                  change={change}
                  locale={locale}
                />
                <Pages position={state} rows={list.data.length} pagination={list.meta.pagination} change={change} />
              </>
            )
          }
        </Loaded>
      </div>
      {isDeleted ? (
        <Suspense>
          <DeletedDialog type={type} close={deleted.close} />
        </Suspense>
      ) : null}
    </Frame>
  );
};
