/** Content as an export has it: a page in two locales and states, one that it leads to, their author, a file and a user. */
import { exportedSchemas } from "./import-project.ts";
import { type Exported, link } from "./strapi-archive.ts";

export const PAGE = "api::page.page";
export const WRITER = "api::writer.writer";
const FILE = "plugin::upload.file";
export const FOLDER = "plugin::upload.folder";
const ROLE = "plugin::users-permissions.role";
const USER = "plugin::users-permissions.user";
const PERMISSION = "plugin::users-permissions.permission";

export const dates = { createdAt: "2024-01-02T03:04:05.678Z", updatedAt: "2024-02-03T04:05:06.789Z" };
export const published = { ...dates, publishedAt: "2024-03-04T05:06:07.890Z" };
export const draft = { ...dates, publishedAt: null };
export const bytes = Buffer.from("%PDF-1.4 a file");
/** Of the password "Sesame-1", as Strapi keeps it. */
const hash = "$2a$04$zIJmQeBTOldJiqof6XsKyeYWxpadsGAiLsH0ftsptLw/mS3nJut6a";

export const ids = { a: "aaaaaaaaaaaaaaaaaaaaaaaa", b: "bbbbbbbbbbbbbbbbbbbbbbbb", ada: "adaaaaaaaaaaaaaaaaaaaaaa" };

export const content: Exported = {
  schemas: exportedSchemas,
  entities: [
    [
      FILE,
      7,
      {
        documentId: "f".repeat(24),
        name: "Räport.pdf",
        alternativeText: "Alt",
        caption: null,
        width: null,
        height: null,
        formats: null,
        hash: "raport_1",
        ext: ".pdf",
        mime: "application/pdf",
        size: 0.02,
        url: "/uploads/raport_1.pdf",
        provider: "local",
        folderPath: "/3/5",
        ...published,
        locale: null,
      },
    ],
    [FOLDER, 1, { documentId: "v".repeat(24), name: "Press 50%", pathId: 3, path: "/3", ...published }],
    [FOLDER, 2, { documentId: "w".repeat(24), name: "Fotos / été", pathId: 5, path: "/3/5", ...published }],
    [PERMISSION, 1, { documentId: "p".repeat(24), action: "api::page.page.find", ...published }],
    [PERMISSION, 3, { documentId: "t".repeat(24), action: "plugin::users-permissions.auth.callback", ...published }],
    [PERMISSION, 2, { documentId: "q".repeat(24), action: "api::other.other.find", ...published }],
    [ROLE, 5, { documentId: "r".repeat(24), name: "Public", description: "", type: "public", ...published }],
    [
      ROLE,
      6,
      { documentId: "s".repeat(24), name: "Authenticated", description: "", type: "authenticated", ...published },
    ],
    [
      USER,
      3,
      {
        documentId: "u".repeat(24),
        username: "ada",
        email: "ada@example.test",
        provider: "local",
        password: hash,
        resetPasswordToken: null,
        confirmationToken: null,
        confirmed: true,
        blocked: false,
        ...published,
        locale: null,
      },
    ],
    [
      PAGE,
      12,
      {
        documentId: ids.b,
        title: "B",
        slug: "b",
        views: null,
        stamp: null,
        summary: "s",
        ...published,
        locale: "en",
        sections: [],
      },
    ],
    [
      PAGE,
      11,
      {
        documentId: ids.b,
        title: "B draft",
        slug: "b",
        views: null,
        stamp: null,
        summary: "s",
        ...draft,
        locale: "en",
        sections: [],
      },
    ],
    [
      PAGE,
      1,
      {
        documentId: ids.a,
        title: "A draft",
        slug: "a",
        views: "9223372036854775807",
        stamp: "1000",
        summary: null,
        gone: "old",
        ...draft,
        locale: "en",
        sections: [
          { __component: "blocks.hero", id: 40, heading: "H" },
          { __component: "blocks.quote", id: 40, text: "Q \u2028 end" },
        ],
      },
    ],
    [
      PAGE,
      2,
      {
        documentId: ids.a,
        title: "A",
        slug: "a",
        views: "9223372036854775807",
        stamp: "1000",
        summary: null,
        gone: "old",
        ...published,
        locale: "en",
        sections: [
          { __component: "blocks.quote", id: 42, text: "Q" },
          { __component: "blocks.hero", id: 41, heading: "H" },
        ],
      },
    ],
    [
      PAGE,
      3,
      {
        documentId: ids.a,
        title: "A fr",
        slug: "a-fr",
        views: null,
        stamp: null,
        summary: "s",
        ...draft,
        locale: "fr",
        sections: [],
      },
    ],
    [WRITER, 9, { documentId: ids.ada, name: "Ada", secret: "hidden", ...published, locale: null }],
  ],
  links: [
    link("manyToOne", [PAGE, 2, "author"], [WRITER, 9, "pages", 37.5]),
    link("manyToOne", [PAGE, 12, "author"], [WRITER, 9, "pages", 2]),
    // At one place, and not in the order of their ids.
    link("manyToOne", [PAGE, 3, "author"], [WRITER, 9, "pages", 1]),
    link("manyToOne", [PAGE, 1, "author"], [WRITER, 9, "pages", 1]),
    link("oneToMany", [PAGE, 2, "related", 9], [PAGE, 2]),
    link("oneToMany", [PAGE, 2, "related", 3], [PAGE, 12]),
    link("oneToOne", ["blocks.hero", 41, "by"], [WRITER, 9]),
    link("morphToMany", [FILE, 7, "related"], [PAGE, 2, "cover", 1]),
    link("morphToMany", [FILE, 7, "related"], ["blocks.hero", 41, "picture", 1]),
    link("morphToMany", [PAGE, 3, "mentions"], [PAGE, 1, undefined, 1]),
    link("morphToMany", [PAGE, 3, "mentions"], [WRITER, 9, "pages", 2]),
    link("manyToOne", [PERMISSION, 1, "role"], [ROLE, 5, "permissions", 1]),
    link("manyToOne", [PERMISSION, 3, "role"], [ROLE, 5, "permissions", 1]),
    link("manyToOne", [PERMISSION, 2, "role"], [ROLE, 5, "permissions", 1]),
    link("manyToOne", [USER, 3, "role"], [ROLE, 6, "users", 1]),
    link("oneToMany", [PAGE, 1, "localizations"], [PAGE, 1]),
  ],
  uploads: { "raport_1.pdf": bytes },
};
