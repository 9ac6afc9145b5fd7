/** Chooses the control for an attribute, and arranges them by the layout. */
import { Skeleton, Title } from "@mantine/core";
import { lazy, memo, Suspense } from "react";
import { type Attribute, type Attributes, labelOf } from "../api/description.ts";
import { isShown, isWritten } from "../api/description.ts";
import { BooleanField, EnumerationField } from "./fields/choice.tsx";
import { ComponentField } from "./fields/component.tsx";
import { JsonField } from "./fields/json.tsx";
import { MediaField } from "./fields/media.tsx";
import { DateField, NumberField } from "./fields/number.tsx";
import { RelationField } from "./fields/relation.tsx";
import { PasswordField, StringField, TextField } from "./fields/text.tsx";
import { UidField } from "./fields/uid.tsx";
import { ZoneField } from "./fields/zone.tsx";
import { type Path, useForm } from "./form.ts";

const BlocksField = lazy(async () => ({ default: (await import("./fields/blocks/field.tsx")).BlocksField }));
const MarkdownField = lazy(async () => ({ default: (await import("./fields/markdown.tsx")).MarkdownField }));

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly path: Path;
  readonly attribute: Attribute;
  readonly readOnly: boolean;
  /** The other attributes of the same document or entry. */
  readonly siblings: Attributes;
}

const CONTROLS: Readonly<Record<string, (props: FieldProps) => React.ReactNode>> = {
  string: StringField,
  email: StringField,
  text: TextField,
  richtext: (props) => <MarkdownField {...props} />,
  blocks: (props) => <BlocksField {...props} />,
  uid: UidField,
  password: PasswordField,
  integer: NumberField,
  biginteger: StringField,
  float: NumberField,
  decimal: NumberField,
  date: DateField,
  datetime: DateField,
  time: DateField,
  boolean: BooleanField,
  enumeration: EnumerationField,
  json: JsonField,
  relation: RelationField,
  media: MediaField,
  component: ComponentField,
  dynamiczone: ZoneField,
};

export const Field = memo(function Field(props: FieldProps) {
  const { type, panel } = props.attribute;
  const Control = CONTROLS[type] ?? JsonField;
  const { elementId } = useForm();
  return (
    <div id={elementId(props.path)} className="field" data-width={panel?.width}>
      <Suspense fallback={<Skeleton height={120} />}>
        <Control {...props} readOnly={props.readOnly || panel?.readOnly === true || !isWritten(props.attribute)} />
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
