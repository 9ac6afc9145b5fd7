import { Button, Group } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useText } from "../i18n/index.ts";
import { Empty } from "./states.tsx";

const Broken = () => {
  const t = useText();
  return (
    <Empty isPage icon="alert" title={t("error.title")} text={t("error.page")}>
      <Group mt="md">
        <Button onClick={() => window.location.reload()}>{t("error.reload")}</Button>
      </Group>
    </Empty>
  );
};

interface Props {
  /** In place of what has failed, if that is not a page. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Shows that a page has failed, in place of nothing. The usual cause is a part of the panel that cannot be loaded: the
 * server is away, or has another version by now.
 */
export class Boundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError = () => ({ isBroken: true });

  override render(): ReactNode {
    const { fallback = <Broken />, children } = this.props;
    return this.state.isBroken ? fallback : children;
  }
}
