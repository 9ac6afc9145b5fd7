/** What a project's `panel/extensions.tsx` imports from `galley-cms/panel`. */
import type { ComponentType, ReactNode } from "react";

/** An attribute of a content type or component, as the server describes it. */
export interface PanelAttribute {
  readonly type: string;
  readonly required?: boolean;
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
}

export interface PanelFieldProps<Value> {
  readonly name: string;
  readonly label: string;
  readonly attribute: PanelAttribute;
  /** Null if there is none. */
  readonly value: Value | null;
  /** Why the server has refused the value. */
  readonly fault: string | undefined;
  readonly readOnly: boolean;
  set(value: Value | null): void;
}

/** A component for an attribute. It is declared as a method, so that it may expect values of one type. */
export type PanelField = { render(props: PanelFieldProps<unknown>): ReactNode }["render"];

/** A document that is open in the panel. */
export interface PanelDocument {
  /** The uid of its type. */
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | undefined;
}

export interface PanelPage {
  /** The last part of its address. */
  readonly path: string;
  readonly title: string;
  /** The action of the server that it needs; by default everybody sees it. */
  readonly action?: string;
  readonly Content: ComponentType;
}

export interface PanelAction {
  readonly label: string;
  /** The uids of the types whose documents have it; by default all. */
  readonly types?: readonly string[];
  /** The action of the server that it needs; by default everybody sees it. */
  readonly action?: string;
  /** Returns what to say when it is done. If it rejects, the panel says why. */
  run(document: PanelDocument, panel: Panel): Promise<string>;
}

export interface PanelExtensions {
  /**
   * Controls, by the attribute that they are for (`api::article.article.colour`, `shared.seo.title`), by the uid of a
   * custom field (`plugin::color-picker.color`), or by a name that schema files give as `pluginOptions.panel.field`.
   */
  readonly fields?: Readonly<Record<string, PanelField>>;
  readonly pages?: readonly PanelPage[];
  /** Further actions on a document, in its menu. */
  readonly actions?: readonly PanelAction[];
}

export interface Panel {
  /** In which the user reads the panel: `en`, `de`. */
  readonly language: string;
  /** Whether the user may do an action of the server. */
  can(action: string): boolean;
  /** Sends a request to a path below the prefix of the REST API, as the user. */
  send<Answer>(method: string, path: string, parts?: PanelRequest): Promise<Answer>;
}

export interface PanelRequest {
  readonly query?: object;
  readonly body?: object;
}

/** Types the default export. */
export declare const definePanel: (extensions: PanelExtensions) => PanelExtensions;

/** The panel, for components. */
export declare const usePanel: () => Panel;

/** What surrounds a control: its label, its help and its fault. */
export declare const FieldFrame: ComponentType<
  Pick<PanelFieldProps<unknown>, "label" | "attribute" | "fault"> & {
    /** The id of the one input that the label belongs to. */
    readonly id?: string;
    readonly children: ReactNode;
  }
>;

/** A page with a title. */
export declare const Page: ComponentType<{
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}>;
