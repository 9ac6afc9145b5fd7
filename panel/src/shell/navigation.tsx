import { AppShell, NavLink, ScrollArea, Text } from "@mantine/core";
import { Fragment, useState } from "react";
import { Link, useLocation } from "wouter";
import { type ContentType, useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { Icon, type IconName, iconOf } from "../ui/icons.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { hrefOf } from "./addresses.ts";
import { usePages } from "./pages.ts";

const Entry = ({ to, label, icon }: { readonly to: string; readonly label: string; readonly icon: IconName }) => {
  const [location] = useLocation();
  const isHere = location === to || location.startsWith(`${to}/`);
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
      leftSection={<Icon name={icon} />}
      className="nav-link"
    />
  );
};

const Heading = ({ children }: { readonly children: string }) => (
  <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={6}>
    {children}
  </Text>
);

const Types = ({
  title,
  types,
  icon,
}: {
  readonly title: string;
  readonly types: readonly ContentType[];
  /** For types whose layout names none. */
  readonly icon: IconName;
}) =>
  types.length === 0 ? null : (
    <>
      <Heading>{title}</Heading>
      {types.map((type) => (
        <Entry key={type.uid} to={hrefOf(type)} label={type.displayName} icon={iconOf(type.panel.icon) ?? icon} />
      ))}
    </>
  );

/** With more types than this, the navigation can be searched. */
const MANY = 15;

export const Navigation = () => {
  const t = useText();
  const model = useModel();
  const [search, setSearch] = useState("");
  const found = model.contentTypes.filter(({ displayName }) =>
    displayName.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const single = found.filter(({ kind }) => kind === "singleType");
  const collections = found.filter(({ kind }) => kind !== "singleType");
  return (
    <AppShell.Section grow component={ScrollArea}>
      {model.contentTypes.length > MANY ? (
        <SearchInput label={t("nav.find")} value={search} search={setSearch} />
      ) : null}
      <Types title={t("nav.collections")} types={collections} icon="stack" />
      <Types title={t("nav.single")} types={single} icon="file" />
      {usePages().map(({ title, pages }) => (
        <Fragment key={title}>
          <Heading>{title}</Heading>
          {pages.map(({ path, label, icon }) => (
            <Entry key={path} to={path} label={label} icon={icon} />
          ))}
        </Fragment>
      ))}
    </AppShell.Section>
  );
};
