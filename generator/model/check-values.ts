/** Options of attributes that contradict each other, their type, or their siblings. */
import { nearest } from "../../runtime/base/did-you-mean.ts";
import { problems } from "../diagnostics/codes.ts";
import type { Report } from "../diagnostics/diagnostic.ts";
import { expectedDefault, isNow } from "./defaults.ts";
import { nameEnum } from "./enums.ts";
import { snakeCase } from "./names.ts";
import {
  MEDIA_KINDS,
  keyIn,
  type Prepared,
  type PreparedAttribute,
  type PreparedComponent,
  type PreparedType,
  valueIn,
} from "./prepared.ts";
import { explodingPart } from "./regex-cost.ts";
import { SYSTEM_FIELDS } from "./reserved.ts";

interface Site {
  readonly owner: PreparedType | PreparedComponent;
  readonly name: string;
  readonly report: Report;
}

const at = ({ owner, name }: Site, ...path: readonly (string | number)[]) =>
  valueIn(owner, "attributes", name, ...path);

const checkBounds = (site: Site, low: readonly [string, unknown], high: readonly [string, unknown]): void => {
  const [[lowKey, least], [highKey, most]] = [low, high];
  if (least === undefined || most === undefined) return;
  const exceeds =
    typeof least === "string" && typeof most === "string" && /^-?\d+$/.test(least) && /^-?\d+$/.test(most)
      ? BigInt(least) > BigInt(most)
      : Number(least) > Number(most);
  if (!exceeds) return;
  const parameters = { attribute: site.name, lowKey, highKey, least: String(least), most: String(most) };
  site.report(problems.emptyRange, at(site, lowKey), parameters);
};

const checkRegex = (site: Site, regex: string): void => {
  try {
    RegExp(regex);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(": ").at(-1) ?? "") : "";
    return site.report(problems.invalidRegex, at(site, "regex"), { attribute: site.name, reason });
  }
  const part = explodingPart(regex);
  if (part !== undefined) site.report(problems.explodingRegex, at(site, "regex"), { attribute: site.name, part });
};

const checkEnum = (site: Site, values: readonly string[]): void => {
  const { name: attribute, report } = site;
  if (values.length === 0) report(problems.emptyEnum, at(site, "enum"), { attribute });
  for (const [index, value] of values.entries())
    if (values.indexOf(value) < index)
      report(problems.repeatedEnumValue, at(site, "enum", index), { attribute, value });
  for (const { value, name } of nameEnum("", [...new Set(values)]).renamed)
    report(problems.enumName, at(site, "enum", values.indexOf(value)), { attribute, value, name });
};

const TARGET_TYPES: ReadonlySet<string> = new Set(["string", "text"]);

const checkTargetField = (site: Site, target: string): void => {
  const { owner, name: attribute, report } = site;
  const texts = [...owner.attributes].filter(([, { type }]) => TARGET_TYPES.has(type)).map(([name]) => name);
  const found = owner.attributes.get(target);
  if (found && TARGET_TYPES.has(found.type)) return;
  const suggestion = found ? undefined : nearest(target, texts);
  const parameters = { attribute, target, type: found?.type };
  report(problems.targetField, at(site, "targetField"), parameters, { suggestion });
};

const checkDefault = (site: Site, schema: PreparedAttribute): void => {
  if (!("default" in schema) || schema.default === undefined) return;
  if (isNow(schema.type, schema.default))
    site.report(problems.nowDefault, at(site, "default"), { attribute: site.name, value: schema.default });
  const expected = expectedDefault(schema, schema.default);
  if (expected !== undefined)
    site.report(problems.wrongDefault, at(site, "default"), { attribute: site.name, expected });
};

const checkAllowedTypes = (site: Site, types: readonly string[]): void => {
  for (const [index, type] of types.entries())
    if (!MEDIA_KINDS.includes(type)) {
      const place = at(site, "allowedTypes", index);
      const suggestion = nearest(type, MEDIA_KINDS);
      site.report(problems.mediaKind, place, { attribute: site.name, type }, { suggestion });
    }
};

const checkAttribute = (site: Site, schema: PreparedAttribute): void => {
  if ("minLength" in schema) checkBounds(site, ["minLength", schema.minLength], ["maxLength", schema.maxLength]);
  if ("min" in schema) checkBounds(site, ["min", schema.min], ["max", schema.max]);
  if ("regex" in schema && schema.regex !== undefined) checkRegex(site, schema.regex);
  if (schema.type === "enumeration") checkEnum(site, schema.enum);
  if (schema.type === "uid" && schema.targetField !== undefined) checkTargetField(site, schema.targetField);
  if (schema.type === "media" && schema.allowedTypes) checkAllowedTypes(site, schema.allowedTypes);
  checkDefault(site, schema);
};

/** Attributes whose names differ only by case or underscores would share a column. */
const checkColumns = (owner: PreparedType | PreparedComponent, report: Report): void => {
  const first = new Map<string, string>();
  for (const name of owner.attributes.keys()) {
    const snake = snakeCase(name);
    const other = first.get(snake);
    if (other === undefined) first.set(snake, name);
    else {
      const related = [{ place: keyIn(owner, "attributes", other), message: `the attribute "${other}"` }];
      const parameters = { attribute: name, other, column: snake };
      report(problems.columnTaken, keyIn(owner, "attributes", name), parameters, { related });
    }
  }
};

const checkPrivateAttributes = (type: PreparedType, report: Report): void => {
  const known = [...type.attributes.keys(), ...SYSTEM_FIELDS, "createdBy", "updatedBy", "localizations"];
  for (const [index, name] of (type.schema.options.privateAttributes ?? []).entries())
    if (!known.includes(name)) {
      const place = valueIn(type, "options", "privateAttributes", index);
      report(problems.privateAttribute, place, { name }, { suggestion: nearest(name, known) });
    }
};

/** Checks the options of every attribute, one by one and against its siblings. */
export const checkValues = ({ contentTypes, components }: Prepared, report: Report): void => {
  for (const owner of [...contentTypes, ...components]) {
    checkColumns(owner, report);
    for (const [name, schema] of owner.attributes) checkAttribute({ owner, name, report }, schema);
  }
  for (const type of contentTypes) checkPrivateAttributes(type, report);
};
