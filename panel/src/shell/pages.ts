/** The pages beside those of content: for files, for users, and for whoever runs the server. */
import { type ComponentType, lazy } from "react";
import { useModel } from "../api/description.ts";
import { useExtensions } from "../extensions/context.ts";
import type { TextKey } from "../i18n/index.ts";
import { useText } from "../i18n/index.ts";
import type { IconName } from "../ui/icons.tsx";

const MediaPage = lazy(async () => ({ default: (await import("../media/page.tsx")).MediaPage }));
const PeoplePage = lazy(async () => ({ default: (await import("../people/page.tsx")).PeoplePage }));
const OverviewPage = lazy(async () => ({ default: (await import("../run/overview-page.tsx")).OverviewPage }));
const FindingsPage = lazy(async () => ({ default: (await import("../run/findings-page.tsx")).FindingsPage }));
const RolesPage = lazy(async () => ({ default: (await import("../run/roles-page.tsx")).RolesPage }));
const WebhooksPage = lazy(async () => ({ default: (await import("../run/webhooks-page.tsx")).WebhooksPage }));
const AuditPage = lazy(async () => ({ default: (await import("../run/audit-page.tsx")).AuditPage }));
const TokensPage = lazy(async () => ({ default: (await import("../run/tokens-page.tsx")).TokensPage }));

type Row = readonly [path: string, label: TextKey, icon: IconName, action: string, Content: ComponentType];

/** Each with the action that it needs. */
const MANAGE: readonly Row[] = [
  ["/media", "media.library", "image", "plugin::upload.content-api.findPage", MediaPage],
  ["/people", "people.users", "users", "plugin::users-permissions.user.find", PeoplePage],
];

const SERVER: readonly Row[] = [
  ["/overview", "nav.overview", "chart", "plugin::panel.activity.read", OverviewPage],
  ["/roles", "nav.roles", "shield", "plugin::users-permissions.role.find", RolesPage],
  ["/tokens", "nav.tokens", "key", "plugin::panel.token.list", TokensPage],
  ["/webhooks", "nav.webhooks", "link", "plugin::events.webhook.list", WebhooksPage],
  ["/audit", "nav.audit", "list", "plugin::audit.log.read", AuditPage],
  ["/findings", "nav.findings", "check", "plugin::panel.findings.read", FindingsPage],
];

interface Page {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly action?: string;
  readonly Content: ComponentType;
}

/** The pages that the caller may see, in groups. */
export const usePages = (): readonly { readonly title: string; readonly pages: readonly Page[] }[] => {
  const t = useText();
  const model = useModel();
  const { pages: own = [] } = useExtensions();
  const known = (rows: readonly Row[]): readonly Page[] =>
    rows.map(([path, label, icon, action, Content]) => ({ path, label: t(label), icon, action, Content }));
  const groups: readonly (readonly [string, readonly Page[]])[] = [
    [t("nav.manage"), known(MANAGE)],
    [
      t("nav.project"),
      own.map(({ path, title, ...page }) => ({ path: `/own/${path}`, label: title, icon: "star", ...page })),
    ],
    [t("nav.server"), known(SERVER)],
  ];
  return groups
    .map(([title, pages]) => ({ title, pages: pages.filter(({ action }) => !action || model.can(action)) }))
    .filter(({ pages }) => pages.length > 0);
};
