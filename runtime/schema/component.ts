/** Descriptors of components. It imports no types of tables: clients import it. */
import type { ComponentFields, ComponentUid } from "./document.ts";
import type { Field } from "./field.ts";
import type { ComponentLayout } from "./layout.ts";

/** The descriptor of a component. It has no table: entries live in the rows of the types that use it. */
export interface Component<Entry extends ComponentFields = ComponentFields> {
  readonly uid: ComponentUid;
  /** By default the name itself. */
  readonly displayName?: string;
  readonly description?: string;
  /** How the panel shows its entries. */
  readonly panel?: ComponentLayout;
  readonly attributes: { readonly [Name in Exclude<keyof Entry, keyof ComponentFields>]-?: Field };
}

/** Declares a component, whose entries are stored as JSON in the row of the version that contains them. */
export const defineComponent = <Entry extends ComponentFields>(component: Component<Entry>): Component<Entry> =>
  component;
