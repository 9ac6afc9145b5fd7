/** The layout that the pages for whoever runs the server share. */
import { Stack, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { IconName } from "../ui/icons.tsx";
import { Empty, Failed, LoadingRows } from "../ui/states.tsx";

interface FrameProps {
  readonly title: string;
  readonly text?: string;
  /** Beside the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export const Frame = ({ title, text, action, children }: FrameProps) => (
  <Stack gap="md" p={{ base: "md", md: "xl" }} maw={1080} mx="auto">
    <div className="page-head">
      <div>
        <Title order={1}>{title}</Title>
        {text === undefined ? null : (
          <Text c="dimmed" size="sm" mt={4} maw={640}>
            {text}
          </Text>
        )}
      </div>
      {action}
    </div>
    {children}
  </Stack>
);

interface RowsProps<Item> {
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly empty: { readonly icon: IconName; readonly title: string; readonly text?: string };
  /** Empty for a column of buttons. */
  readonly heads: readonly string[];
  readonly row: (item: Item) => ReactNode;
  retry(): void;
}

/** A table, or what stands in its place while it is loading, empty or failed. */
export const Rows = <Item,>({ items, error, empty, heads, row, retry }: RowsProps<Item>) => (
  <div className="surface">
    {error ? <Failed error={error} retry={retry} /> : null}
    {!items && !error ? <LoadingRows rows={4} /> : null}
    {items?.length === 0 ? <Empty {...empty} /> : null}
    {items && items.length > 0 ? (
      <Table.ScrollContainer minWidth={0}>
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
    ) : null}
  </div>
);
