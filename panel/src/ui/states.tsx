/** Placeholders for pages that are empty, loading or failed. */
import { Alert, Center, Group, Skeleton, Stack, Text, type TextProps, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { ActionButton } from "./buttons.tsx";
import { Icon, type IconName } from "./icons.tsx";

/** Text that explains or is of less weight than what it stands beside. */
export const Muted = (props: TextProps & { readonly children: ReactNode }) => <Text size="sm" c="dimmed" {...props} />;

export const Empty = ({
  icon,
  title,
  text,
  isPage = false,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  /** Whether it stands in place of a whole page. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}) => (
  <Center py={64} px="md">
    <Stack align="center" gap="xs" maw={360}>
      <Text c="dimmed" component="span">
        <Icon name={icon} size={36} />
      </Text>
      <Title order={isPage ? 1 : 2} size="h4" ta="center">
        {title}
      </Title>
      {text === undefined ? null : <Muted ta="center">{text}</Muted>}
      {children}
    </Stack>
  </Center>
);

export const Failed = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) => {
  const t = useText();
  return (
    <Alert color="red" variant="light" title={t("error.load")} icon={<Icon name="alert" />} m="md">
      <Text size="sm">{messageOf(error)}</Text>
      {retry ? (
        <Group mt="sm">
          <ActionButton icon="refresh" variant="default" onClick={retry}>
            {t("action.retry")}
          </ActionButton>
        </Group>
      ) : null}
    </Alert>
  );
};

/** Why a form was refused, announced to screen readers; nothing as long as it was not. */
export const Fault = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );

/** Placeholder rows for a loading list. */
export const LoadingRows = ({ rows = 8 }: { readonly rows?: number }) => (
  <Stack gap="md" p="lg" aria-busy="true">
    {Array.from({ length: rows }, (_none, index) => (
      <Group key={index} wrap="nowrap">
        <Skeleton height={14} width={18} />
        <Skeleton height={14} width={`${30 + ((index * 17) % 40)}%`} />
        <Skeleton height={14} width={70} ml="auto" />
      </Group>
    ))}
  </Stack>
);

/** Placeholder fields for a loading form. */
export const LoadingForm = () => (
  <Stack gap="xl" p="lg" aria-busy="true">
    {[36, 36, 80, 160].map((height, index) => (
      <Stack key={index} gap={8}>
        <Skeleton height={12} width={90} />
        <Skeleton height={height} />
      </Stack>
    ))}
  </Stack>
);

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "error"> & { refetch(): unknown };
  /** In its place while it is loading. */
  readonly loading?: ReactNode;
  children(data: Data): ReactNode;
}

/** What a query has read, or what stands in its place while it is loading or has failed. */
export const Loaded = <Data,>({
  query: { data, error, refetch },
  loading = <LoadingRows rows={4} />,
  children,
}: LoadedProps<Data>) => (
  <>
    {error ? <Failed error={error} retry={() => void refetch()} /> : null}
    {data === undefined ? (error ? null : loading) : children(data)}
  </>
);
