/** Buttons with an icon. */
import { ActionIcon, type ActionIconProps, Button, type ButtonProps, type ElementProps } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useText } from "../i18n/index.ts";
import { Icon, type IconName } from "./icons.tsx";

export interface IconButtonProps extends ActionIconProps, ElementProps<"button", keyof ActionIconProps> {
  readonly icon: IconName;
  /** What the button does, for readers of the screen. */
  readonly label: string;
  /** Of the icon, in pixels. */
  readonly iconSize?: number;
}

/** A button that shows an icon alone. */
export const IconButton = ({ icon, label, iconSize, ...props }: IconButtonProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
    <Icon name={icon} size={iconSize} />
  </ActionIcon>
);

interface ActionButtonProps extends ButtonProps, ElementProps<"button", keyof ButtonProps> {
  readonly icon: IconName;
}

/** A button with an icon before its text. */
export const ActionButton = ({ icon, ...props }: ActionButtonProps) => (
  <Button leftSection={<Icon name={icon} size={props.size === "xs" ? 14 : 16} />} {...props} />
);

interface BackLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** Leads to the page that this one belongs to. */
export const BackLink = ({ href, children }: BackLinkProps) => (
  <Button
    component={Link}
    href={href}
    variant="subtle"
    color="gray"
    size="compact-sm"
    ml={-8}
    leftSection={<Icon name="arrowLeft" size={14} />}
  >
    {children}
  </Button>
);

interface MoreButtonProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
  readonly children: ReactNode;
}

/** Reads the next page of a query, if there is one. */
export const MoreButton = ({ query, children }: MoreButtonProps) =>
  query.hasNextPage ? (
    <Button
      variant="default"
      mx="auto"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
      children={children}
    />
  ) : null;

/** A button that deletes. */
export const DeleteButton = (props: Omit<ActionButtonProps, "icon">) => (
  <ActionButton icon="trash" variant="light" color="red" {...props}>
    {useText()("action.delete")}
  </ActionButton>
);
