/** The layout of all pages: navigation at the side, account menu at the top. */
import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { useText } from "../i18n/index.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Brand } from "./brand.tsx";
import { Navigation } from "./navigation.tsx";

export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const t = useText();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  useEffect(close, [location, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <a className="skip" href="#main">
        {t("nav.skip")}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t("nav.main")}
              aria-expanded={isOpen}
            />
            <Brand />
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t("nav.main")}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
};
