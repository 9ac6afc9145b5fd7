import { Checkbox, Table, UnstyledButton } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { Link, useLocation } from "wouter";
import { type ContentType, labelOf, mainAttribute, NUMBERS, TIMES, titleOf } from "../api/description.ts";
import { type Document, type List, stateOf } from "../api/documents.ts";
import { type Translate, useLanguage } from "../i18n/index.ts";
import { hrefOf } from "../shell/addresses.ts";
import { Icon } from "../ui/icons.tsx";
import { LocaleMarks, ScheduleMark, StatusMark } from "../ui/status.tsx";
import { longTime, shortTime } from "../ui/time.ts";
import { Cell } from "./cell.tsx";
import { toggled } from "./chosen.ts";
import type { ListState } from "./state.ts";

interface Props {
  readonly type: ContentType;
  readonly state: ListState;
  readonly list: List;
  readonly chosen: ReadonlySet<string>;
  readonly locale: string | undefined;
  choose(chosen: ReadonlySet<string>): void;
  change(changes: Readonly<Record<string, string | undefined>>): void;
}

const SORTED = new Set(["string", "uid", "email", "enumeration", "boolean", ...NUMBERS, ...TIMES]);

interface Column {
  readonly name: string;
  readonly label: string;
  readonly sorts?: boolean;
  /** The narrowest screen that shows the column. */
  readonly from?: "sm" | "md";
}

const ColumnHead = ({ column, state, change }: { readonly column: Column } & Pick<Props, "state" | "change">) => {
  const { t } = useLanguage();
  const { name, label, sorts = false, from } = column;
  const [by, order] = state.sort.split(":");
  const isHere = by === name;
  const where = from === undefined ? {} : { visibleFrom: from };
  if (!sorts)
    return (
      <Table.Th scope="col" {...where}>
        {label}
      </Table.Th>
    );
  return (
    <Table.Th scope="col" {...where} aria-sort={isHere ? (order === "desc" ? "descending" : "ascending") : "none"}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        title={t("list.sortBy", { name: label })}
        onClick={() => change({ sort: `${name}:${isHere && order === "asc" ? "desc" : "asc"}` })}
      >
        {label}
        {isHere ? (
          <span className="sort-mark" data-up={order === "asc"}>
            <Icon name="chevronDown" size={14} />
          </span>
        ) : null}
      </UnstyledButton>
    </Table.Th>
  );
};

const columnsOf = (type: ContentType, state: ListState, t: Translate): readonly Column[] => {
  const main = mainAttribute(type.attributes);
  return [
    main === undefined
      ? { name: "documentId", label: t("edit.id") }
      : { name: main, label: labelOf(type.attributes, main), sorts: true },
    ...state.columns.map((name): Column => ({
      name,
      label: labelOf(type.attributes, name),
      sorts: SORTED.has(type.attributes[name]?.type ?? ""),
      from: "sm",
    })),
    ...(type.localized ? [{ name: "locale", label: t("list.locales"), from: "md" } as const] : []),
    ...(type.draftAndPublish ? [{ name: "state", label: t("list.state") }] : []),
    { name: "updatedAt", label: t("list.updated"), sorts: true, from: "sm" },
  ];
};

/** Moves the focus from row to row with the arrow keys. */
const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLAnchorElement)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>("a.row-link")];
  const next = links[links.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
};

const localesOf = ({ locale, localizations = [] }: Document): readonly string[] =>
  [...new Set([locale, ...localizations.map((other) => other.locale)])].filter((code) => code !== undefined).sort();

const Row = ({
  document,
  type,
  list,
  state,
  chosen,
  choose,
  locale,
}: Omit<Props, "change"> & { readonly document: Document }) => {
  const { t, language } = useLanguage();
  const [, navigate] = useLocation();
  const { documentId } = document;
  const title = titleOf(type.attributes, document) ?? t("edit.untitled");
  const href = hrefOf(type, { documentId, locale });
  return (
    <Table.Tr
      data-chosen={chosen.has(documentId)}
      onClick={(event) => {
        if (event.target instanceof HTMLTableCellElement) navigate(href);
      }}
      style={{ cursor: "pointer" }}
    >
      <Table.Td w={44} onClick={(event) => event.stopPropagation()}>
        <Checkbox
          size="xs"
          aria-label={t("list.select", { name: title })}
          checked={chosen.has(documentId)}
          onChange={() => choose(toggled(chosen, documentId))}
        />
      </Table.Td>
      <Table.Td miw={180}>
        <Link href={href} className="row-link">
          {title}
        </Link>
      </Table.Td>
      {state.columns.map((name) => (
        <Table.Td key={name} visibleFrom="sm">
          <Cell attribute={type.attributes[name]} value={document[name]} />
        </Table.Td>
      ))}
      {type.localized ? (
        <Table.Td visibleFrom="md">
          <LocaleMarks codes={localesOf(document)} />
        </Table.Td>
      ) : null}
      {type.draftAndPublish ? (
        <Table.Td>
          <StatusMark status={stateOf(document, list.published.get(documentId))} />
          {list.scheduled
            .filter((each) => each.documentId === documentId)
            .map((each) => (
              <ScheduleMark key={each.action} {...each} />
            ))}
        </Table.Td>
      ) : null}
      <Table.Td visibleFrom="sm" title={longTime(document.updatedAt, language)} style={{ whiteSpace: "nowrap" }}>
        {shortTime(document.updatedAt, language)}
      </Table.Td>
    </Table.Tr>
  );
};

export const ListTable = (props: Props) => {
  const { type, state, list, chosen, choose, change } = props;
  const { t } = useLanguage();
  const ids = list.data.map(({ documentId }) => documentId);
  const isAll = ids.every((id) => chosen.has(id));
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md" onKeyDown={moveFocus}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={44}>
              <Checkbox
                size="xs"
                aria-label={t("list.selectAll")}
                checked={isAll}
                indeterminate={!isAll && ids.some((id) => chosen.has(id))}
                onChange={() => choose(new Set(isAll ? [] : ids))}
              />
            </Table.Th>
            {columnsOf(type, state, t).map((column) => (
              <ColumnHead key={column.name} column={column} state={state} change={change} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.data.map((document) => (
            <Row key={document.documentId} {...props} document={document} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};
