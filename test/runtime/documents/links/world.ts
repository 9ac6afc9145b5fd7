/** Two types with every kind of two-way relation between them, with drafts or without, with locales or without. */
import { json, pgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Database } from "../../../../runtime/database/database.ts";
import { anyDocuments, type AnyDocuments } from "../../../../runtime/documents/create-documents.ts";
import {
  columnIndex,
  inverseIndex,
  inversePosition,
  linkColumns,
  linkIndexes,
  localeColumn,
  toDocument,
  versionColumns,
  versionIndexes,
} from "../../../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
} from "../../../../runtime/schema/content-type.ts";
import { toMany, toOne } from "../../../../runtime/schema/validators.ts";
import { createTables } from "../../../support/create-tables.ts";
import { testServices } from "../../../support/services.ts";

interface Box extends ComponentFields {
  picks?: Group[];
}

interface Group extends DocumentFields {
  locale: string;
  members?: Item[];
  staff?: Item[];
  holder?: Item | null;
}

interface Item extends DocumentFields {
  locale: string;
  groups?: Group[];
  team?: Group | null;
  badge?: Group | null;
  /** Seen from this side only. */
  mentor?: Group | null;
  box?: Box | null;
}

export interface Variant {
  readonly name: string;
  readonly itemDrafts: boolean;
  readonly groupDrafts: boolean;
  readonly localized: boolean;
}

const systemColumns = (localized: boolean) =>
  localized ? { ...versionColumns(), ...localeColumn() } : versionColumns();

const createTablesOf = ({ localized }: Variant) => {
  const groups = pgTable("groups", systemColumns(localized), (version) => versionIndexes(version));
  const items = pgTable(
    "items",
    {
      ...systemColumns(localized),
      team: toDocument("team_document_id"),
      teamPosition: inversePosition("team_position"),
      badge: toDocument("badge_document_id"),
      mentor: toDocument("mentor_document_id"),
      box: json("box"),
    },
    (version) => [
      ...versionIndexes(version),
      inverseIndex(version.team, version.teamPosition),
      columnIndex(version.badge),
      columnIndex(version.mentor),
    ],
  );
  const itemsGroups = pgTable(
    "items_groups",
    { ...linkColumns(() => items.id), inversePosition: inversePosition("inverse_position") },
    linkIndexes,
  );
  return { groups, items, itemsGroups };
};

export interface LinkWorld {
  readonly database: Database;
  readonly items: ReturnType<AnyDocuments>;
  readonly groups: ReturnType<AnyDocuments>;
}

/** The application over a new database. */
export const createLinkWorld = async (database: Database, variant: Variant): Promise<LinkWorld> => {
  const { items, groups, itemsGroups } = createTablesOf(variant);
  await createTables(database, { items, groups, itemsGroups });
  const common = { kind: "collectionType", localized: variant.localized } as const;
  const item = defineContentType<Item>({
    ...common,
    uid: "api::item.item",
    singularName: "item",
    pluralName: "items",
    draftAndPublish: variant.itemDrafts,
    table: items,
    attributes: {
      groups: {
        type: "relation",
        relation: "manyToMany",
        target: "api::group.group",
        link: itemsGroups,
      },
      team: {
        type: "relation",
        relation: "manyToOne",
        target: "api::group.group",
        column: items.team,
        inversePosition: items.teamPosition,
      },
      badge: {
        type: "relation",
        relation: "oneToOne",
        target: "api::group.group",
        column: items.badge,
        inverse: "holder",
      },
      mentor: { type: "relation", relation: "manyToOne", target: "api::group.group", column: items.mentor },
      box: { type: "component", component: "shared.box", column: items.box, localized: true },
    },
  });
  const group = defineContentType<Group>({
    ...common,
    uid: "api::group.group",
    singularName: "group",
    pluralName: "groups",
    draftAndPublish: variant.groupDrafts,
    table: groups,
    attributes: {
      members: { type: "relation", relation: "manyToMany", target: "api::item.item", mappedBy: "groups" },
      staff: { type: "relation", relation: "oneToMany", target: "api::item.item", mappedBy: "team" },
      holder: { type: "relation", relation: "oneToOne", target: "api::item.item", mappedBy: "badge" },
    },
  });
  const boxSchema = z.object({ picks: toMany().optional() });
  const services = await testServices(
    {
      contentTypes: {
        "api::item.item": {
          type: item,
          validator: z.object({
            groups: toMany().optional(),
            team: toOne().nullish(),
            badge: toOne().nullish(),
            mentor: toOne().nullish(),
            box: boxSchema.nullish(),
          }),
        },
        "api::group.group": {
          type: group,
          validator: z.object({
            members: toMany().optional(),
            staff: toMany().optional(),
            holder: toOne().nullish(),
          }),
        },
      },
      components: {
        "shared.box": {
          component: defineComponent<Box>({
            uid: "shared.box",
            attributes: { picks: { type: "relation", relation: "oneToMany", target: "api::group.group" } },
          }),
          validator: boxSchema,
        },
      },
    },
    { database, config: { locales: { default: "en", codes: ["en", "fr"] } } },
  );
  const documents = anyDocuments(services);
  return { database, items: documents("api::item.item"), groups: documents("api::group.group") };
};
