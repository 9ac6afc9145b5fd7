/** Shows the controls of attributes, arranged by the layout. */
import { Input, Skeleton, Title } from "@mantine/core";
import { createContext, memo, type ReactNode, Suspense, useContext } from "react";
import { type Attribute, type Attributes, labelOf } from "../api/description.ts";
import { isShown, isWritten } from "../api/description.ts";
import { useExtensions } from "../extensions/context.ts";
import type { PanelField } from "../extensions/types.d.ts";
import { useText } from "../i18n/index.ts";
import { Boundary } from "../ui/boundary.tsx";
import { type Path, useField, useForm } from "./form.ts";

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly path: Path;
  readonly attribute: Attribute;
  readonly readOnly: boolean;
  /** The other attributes of the same document or entry. */
  readonly siblings: Attributes;
}

/** The control for each type of attribute. */
export type Controls = Readonly<Record<string, (props: FieldProps) => ReactNode>>;

/** Given by the page: fields of components hold fields themselves, so this file cannot import their controls. */
export const ControlsContext = createContext<Controls>({});

/** A control of the project. */
const OwnField = ({ Control, path, siblings: _siblings, ...props }: FieldProps & { readonly Control: PanelField }) => {
  const { value, fault, set } = useField(path);
  const broken = <Input.Wrapper label={props.label} labelElement="div" error={useText()("error.field")} />;
  return (
    <Boundary fallback={broken}>
      <Control {...props} fault={fault} value={value ?? null} set={set} />
    </Boundary>
  );
};

const Field = memo(function Field(props: FieldProps) {
  const { type, panel, key = "" } = props.attribute;
  const { fields = {} } = useExtensions();
  const name = [key, panel?.field ?? ""].find((each) => Object.hasOwn(fields, each));
  const Own = name === undefined ? undefined : fields[name];
  const controls = useContext(ControlsContext);
  const Control = controls[type] ?? controls["json"];
  const { elementId } = useForm();
  const readOnly = props.readOnly || panel?.readOnly === true || !isWritten(props.attribute);
  return (
    <div id={elementId(props.path)} className="field" data-width={panel?.width}>
      <Suspense fallback={<Skeleton height={120} />}>
        {Own ? <OwnField {...props} readOnly={readOnly} Control={Own} /> : null}
        {!Own && Control ? <Control {...props} readOnly={readOnly} /> : null}
      </Suspense>
    </div>
  );
});

interface FieldsProps {
  readonly attributes: Attributes;
  readonly path: Path;
  readonly readOnly: boolean;
  /** The order of the groups. */
  readonly groups?: readonly string[];
}

const groupOf = ({ panel }: Attribute): string => panel?.group ?? "";

/** The shown attributes by group, those without one first. */
const grouped = (attributes: Attributes, groups: readonly string[]) => {
  const shown = Object.entries(attributes).filter(([, attribute]) => isShown(attribute));
  const names = new Set(["", ...groups, ...shown.map(([, attribute]) => groupOf(attribute))]);
  return [...names].flatMap((group) => {
    const fields = shown.filter(([, attribute]) => groupOf(attribute) === group);
    return fields.length === 0 ? [] : [{ group, fields }];
  });
};

/** The fields of a document or of an entry. */
export const Fields = memo(
  ({ attributes, path, readOnly, groups = [] }: FieldsProps) =>
    grouped(attributes, groups).map(({ group, fields }) => (
      <section key={group} className="fields" aria-label={group === "" ? undefined : group}>
        {group === "" ? null : (
          <Title order={path.length === 0 ? 2 : 3} size="h5" className="field">
            {group}
          </Title>
        )}
        {fields.map(([name, attribute]) => (
          <Field
            key={name}
            name={name}
            label={labelOf(attributes, name)}
            path={[...path, name]}
            attribute={attribute}
            readOnly={readOnly}
            siblings={attributes}
          />
        ))}
      </section>
    )),
  (before, after) =>
    before.attributes === after.attributes &&
    before.readOnly === after.readOnly &&
    before.path.join(".") === after.path.join("."),
);
