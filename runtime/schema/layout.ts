/** How the panel shows the documents of a content type and the entries of a component. */

/** The widths of a field, of twelve columns. */
export const panelWidths = [3, 4, 6, 8, 9, 12] as const;

/** The icons of content types in the navigation. */
export const panelIcons = [
  "stack",
  "file",
  "image",
  "user",
  "users",
  "globe",
  "folder",
  "link",
  "list",
  "quote",
  "home",
  "settings",
  "tag",
  "calendar",
  "mail",
  "cart",
  "star",
  "book",
  "map",
  "chat",
] as const;

export interface AttributeLayout {
  readonly label?: string | undefined;
  readonly help?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly group?: string | undefined;
  readonly width?: (typeof panelWidths)[number] | undefined;
  readonly hidden?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  /** The name of a control of the project; by default the uid of the custom field. */
  readonly field?: string | undefined;
}

export interface ComponentLayout {
  readonly title?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly attributes?: Readonly<Record<string, AttributeLayout>> | undefined;
}

export interface TypeLayout extends ComponentLayout {
  readonly columns?: readonly string[] | undefined;
  readonly icon?: (typeof panelIcons)[number] | undefined;
  readonly order?: number | undefined;
}
