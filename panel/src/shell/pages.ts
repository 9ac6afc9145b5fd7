/** The pages beside those of content: for files, for users, and for whoever runs the server. */
import { type ComponentType, lazy } from "react";
import type { Model } from "../api/description.ts";
import type { TextKey } from "../i18n/en.ts";
import type { IconName } from "../ui/icons.tsx";

const MediaPage = lazy(async () => ({ default: (await import("../media/page.tsx")).MediaPage }));
const PeoplePage = lazy(async () => ({ default: (await import("../people/page.tsx")).PeoplePage }));
const OverviewPage = lazy(async () => ({ default: (await import("../run/overview-page.tsx")).OverviewPage }));
const RolesPage = lazy(async () => ({ default: (await import("../run/roles-page.tsx")).RolesPage }));
const TokensPage = lazy(async () => ({ default: (await import("../run/tokens-page.tsx")).TokensPage }));

type Row = readonly [path: string, label: TextKey, icon: IconName, action: string, Content: ComponentType];

/** Each with the action that it needs. */
const MANAGE: readonly Row[] = [
  ["/media", "nav.media", "image", "plugin::upload.content-api.findPage", MediaPage],
  ["/people", "nav.people", "users", "plugin::users-permissions.user.find", PeoplePage],
];

const SERVER: readonly Row[] = [
  ["/overview", "nav.overview", "chart", "plugin::panel.activity.read", OverviewPage],
  ["/roles", "nav.roles", "shield", "plugin::users-permissions.role.find", RolesPage],
  ["/tokens", "nav.tokens", "key", "plugin::panel.token.list", TokensPage],
];

/** The pages that the caller may see, in groups. */
export const pagesFor = (model: Model) =>
  (
    [
      ["nav.manage", MANAGE],
      ["nav.server", SERVER],
    ] as const
  ).flatMap(([title, rows]) => {
    const pages = rows.filter(([, , , action]) => model.can(action));
    return pages.length === 0 ? [] : [{ title, pages }];
  });
