/** Tables of small records. */
import { Menu, Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLanguage, useText } from "../i18n/index.ts";
import { IconButton } from "./buttons.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Empty, Loaded } from "./states.tsx";
import { longTime } from "./time.ts";

interface RowsProps<Item> {
  readonly query: Pick<UseQueryResult<readonly Item[]>, "data" | "error"> & { refetch(): unknown };
  readonly empty: { readonly icon: IconName; readonly title: string };
  /** Empty for a column of buttons. */
  readonly heads: readonly string[];
  readonly row: (item: Item) => ReactNode;
}

/** On a narrow screen, a table is wider than its place. */
const SCROLLED_BY_KEYS = { viewportProps: { tabIndex: 0 } };

/** A table, or what stands in its place while it is loading, empty or failed. */
export const Rows = <Item,>({ query, empty, heads, row }: RowsProps<Item>) => (
  <div className="surface">
    <Loaded query={query}>
      {(items) =>
        items.length === 0 ? (
          <Empty {...empty} />
        ) : (
          <Table.ScrollContainer minWidth={0} scrollAreaProps={SCROLLED_BY_KEYS}>
            <Table verticalSpacing="sm" horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  {heads.map((head) =>
                    head === "" ? (
                      <Table.Td key={head} />
                    ) : (
                      <Table.Th key={head} scope="col">
                        {head}
                      </Table.Th>
                    ),
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>{items.map(row)}</Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )
      }
    </Loaded>
  </div>
);

/** A row of such a table. */
export const Row = ({ cells }: { readonly cells: readonly ReactNode[] }) => (
  <Table.Tr>
    {cells.map((cell, column) => (
      <Table.Td key={column}>{cell}</Table.Td>
    ))}
  </Table.Tr>
);

interface NameProps {
  readonly name: ReactNode;
  readonly note?: ReactNode;
}

/** Keeps a long text from pushing the other columns out of sight. */
export const cellStyle = { minWidth: 160, maxWidth: 400, overflowWrap: "anywhere" } as const;

/** A name, and what it is in small print. */
export const Name = ({ name, note }: NameProps) => (
  <div style={cellStyle}>
    <Text size="sm" fw={550} component="div">
      {name}
    </Text>
    <Text size="xs" c="dimmed" lineClamp={2}>
      {note}
    </Text>
  </div>
);

/** An instant, in one line. */
export const Instant = ({ at }: { readonly at: string }) => (
  <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
    {longTime(at, useLanguage().language)}
  </time>
);

interface RowMenuProps {
  /** Of the record. */
  readonly name: string;
  readonly children: ReactNode;
}

/** The menu with what can be done with a record. */
export const RowMenu = ({ name, children }: RowMenuProps) => (
  <Menu>
    <Menu.Target>
      <IconButton icon="dots" label={`${useText()("action.more")}: ${name}`} />
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

/** The item of a menu that deletes. */
export const DeleteItem = ({ onClick }: { onClick(): void }) => (
  <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={onClick}>
    {useText()("action.delete")}
  </Menu.Item>
);
