/** The control for each type of attribute. */
import { lazy } from "react";
import type { Controls } from "./field.tsx";
import { BooleanField, EnumerationField } from "./fields/choice.tsx";
import { ComponentField } from "./fields/component.tsx";
import { JsonField } from "./fields/json.tsx";
import { MediaField } from "./fields/media.tsx";
import { DateField, NumberField } from "./fields/number.tsx";
import { RelationField } from "./fields/relation.tsx";
import { PasswordField, StringField, TextField } from "./fields/text.tsx";
import { UidField } from "./fields/uid.tsx";
import { ZoneField } from "./fields/zone.tsx";

const BlocksField = lazy(async () => ({ default: (await import("./fields/blocks/field.tsx")).BlocksField }));
const MarkdownField = lazy(async () => ({ default: (await import("./fields/markdown.tsx")).MarkdownField }));

export const CONTROLS: Controls = {
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
