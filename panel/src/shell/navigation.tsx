import { AppShell, NavLink, ScrollArea, Text } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { type ContentType, useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { Icon, type IconName, iconOf } from "../ui/icons.tsx";

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

export const hrefOf = (type: ContentType): string =>
  type.kind === "singleType" ? `/single/${type.singularName}` : `/content/${type.pluralName}`;

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

/** The pages for whoever runs the server, each with the action that it needs. */
const SERVER_PAGES = [
  ["/overview", "nav.overview", "chart", "plugin::panel.activity.read"],
  ["/roles", "nav.roles", "shield", "plugin::users-permissions.role.find"],
  ["/tokens", "nav.tokens", "key", "plugin::panel.token.list"],
] as const;

export const Navigation = () => {
  const t = useText();
  const model = useModel();
  const single = model.contentTypes.filter(({ kind }) => kind === "singleType");
  const collections = model.contentTypes.filter(({ kind }) => kind !== "singleType");
  const seesMedia = model.can("plugin::upload.content-api.findPage") || model.can("plugin::upload.content-api.find");
  const seesPeople = model.can("plugin::users-permissions.user.find");
  const serverPages = SERVER_PAGES.filter(([, , , action]) => model.can(action));
  return (
    <AppShell.Section grow component={ScrollArea}>
      <Types title={t("nav.collections")} types={collections} icon="stack" />
      <Types title={t("nav.single")} types={single} icon="file" />
      {seesMedia || seesPeople ? <Heading>{t("nav.manage")}</Heading> : null}
      {seesMedia ? <Entry to="/media" label={t("nav.media")} icon="image" /> : null}
      {seesPeople ? <Entry to="/people" label={t("nav.people")} icon="users" /> : null}
      {serverPages.length === 0 ? null : <Heading>{t("nav.server")}</Heading>}
      {serverPages.map(([to, label, icon]) => (
        <Entry key={to} to={to} label={t(label)} icon={icon} />
      ))}
    </AppShell.Section>
  );
};
