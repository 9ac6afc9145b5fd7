/** The types of Strapi's plugins whose rows stand in archives, as Strapi declares them: they have no schema files here. */
import type { Declaration } from "./declaration.ts";

const hidden = { "content-manager": { visible: false }, "content-type-builder": { visible: false } };

export const pluginTypes: readonly Declaration[] = [
  {
    uid: "plugin::upload.file",
    kind: "collectionType",
    globalId: "UploadFile",
    collectionName: "files",
    info: {
      singularName: "file",
      pluralName: "files",
      displayName: "File",
      description: "",
    },
    options: {
      draftAndPublish: false,
    },
    pluginOptions: hidden,
    attributes: {
      name: {
        type: "string",
        configurable: false,
        required: true,
      },
      alternativeText: {
        type: "text",
        configurable: false,
      },
      caption: {
        type: "text",
        configurable: false,
      },
      focalPoint: {
        type: "json",
        configurable: false,
      },
      width: {
        type: "integer",
        configurable: false,
      },
      height: {
        type: "integer",
        configurable: false,
      },
      formats: {
        type: "json",
        configurable: false,
      },
      hash: {
        type: "string",
        configurable: false,
        required: true,
      },
      ext: {
        type: "string",
        configurable: false,
      },
      mime: {
        type: "string",
        configurable: false,
        required: true,
      },
      size: {
        type: "decimal",
        configurable: false,
        required: true,
      },
      url: {
        type: "text",
        configurable: false,
        required: true,
      },
      previewUrl: {
        type: "text",
        configurable: false,
      },
      provider: {
        type: "string",
        configurable: false,
        required: true,
      },
      provider_metadata: {
        type: "json",
        configurable: false,
      },
      related: {
        type: "relation",
        relation: "morphToMany",
        configurable: false,
      },
      folder: {
        type: "relation",
        relation: "manyToOne",
        target: "plugin::upload.folder",
        inversedBy: "files",
        private: true,
      },
      folderPath: {
        type: "string",
        minLength: 1,
        required: true,
        private: true,
        searchable: false,
      },
    },
  },
  {
    uid: "plugin::upload.folder",
    kind: "collectionType",
    globalId: "UploadFolder",
    collectionName: "upload_folders",
    info: {
      singularName: "folder",
      pluralName: "folders",
      displayName: "Folder",
    },
    options: {
      draftAndPublish: false,
    },
    pluginOptions: hidden,
    attributes: {
      name: {
        type: "string",
        minLength: 1,
        required: true,
      },
      pathId: {
        type: "integer",
        unique: true,
        required: true,
      },
      parent: {
        type: "relation",
        relation: "manyToOne",
        target: "plugin::upload.folder",
        inversedBy: "children",
      },
      children: {
        type: "relation",
        relation: "oneToMany",
        target: "plugin::upload.folder",
        mappedBy: "parent",
      },
      files: {
        type: "relation",
        relation: "oneToMany",
        target: "plugin::upload.file",
        mappedBy: "folder",
      },
      path: {
        type: "string",
        minLength: 1,
        required: true,
      },
    },
  },
  {
    uid: "plugin::i18n.locale",
    kind: "collectionType",
    globalId: "I18NLocale",
    collectionName: "i18n_locale",
    info: {
      singularName: "locale",
      pluralName: "locales",
      collectionName: "locales",
      displayName: "Locale",
      description: "",
    },
    options: {
      draftAndPublish: false,
    },
    pluginOptions: hidden,
    attributes: {
      name: {
        type: "string",
        min: 1,
        max: 50,
        configurable: false,
      },
      code: {
        type: "string",
        unique: true,
        configurable: false,
      },
    },
  },
  {
    uid: "plugin::users-permissions.permission",
    kind: "collectionType",
    globalId: "UsersPermissionsPermission",
    collectionName: "up_permissions",
    info: {
      name: "permission",
      description: "",
      singularName: "permission",
      pluralName: "permissions",
      displayName: "Permission",
    },
    options: {
      draftAndPublish: false,
    },
    pluginOptions: hidden,
    attributes: {
      action: {
        type: "string",
        required: true,
        configurable: false,
      },
      role: {
        type: "relation",
        relation: "manyToOne",
        target: "plugin::users-permissions.role",
        inversedBy: "permissions",
        configurable: false,
      },
    },
  },
];

/** What Strapi declares of the built-in types besides what is here. */
export const builtInDetails: Readonly<Record<string, Partial<Declaration>>> = {
  "plugin::users-permissions.role": {
    info: { name: "role", description: "", singularName: "role", pluralName: "roles", displayName: "Role" },
    pluginOptions: hidden,
    attributes: {
      permissions: {
        type: "relation",
        relation: "oneToMany",
        target: "plugin::users-permissions.permission",
        mappedBy: "role",
        configurable: false,
      },
    },
  },
  "plugin::users-permissions.user": {
    info: { name: "user", description: "", singularName: "user", pluralName: "users", displayName: "User" },
    options: { timestamps: true, draftAndPublish: false },
    attributes: {},
  },
};
