/** Components that attributes name: they must exist, and must not contain themselves. */
import { nearest } from "../../runtime/base/did-you-mean.ts";
import { problems } from "../diagnostics/codes.ts";
import type { Report } from "../diagnostics/diagnostic.ts";
import { type Prepared, type PreparedComponent, type PreparedType, valueIn } from "./prepared.ts";

interface Use {
  readonly owner: PreparedType | PreparedComponent;
  readonly attribute: string;
  readonly component: string;
  /** The reference's path below the attribute. */
  readonly path: readonly (string | number)[];
}

const componentUses = (owner: PreparedType | PreparedComponent): Use[] =>
  [...owner.attributes].flatMap(([attribute, schema]): Use[] => {
    if (schema.type === "component") return [{ owner, attribute, component: schema.component, path: ["component"] }];
    if (schema.type !== "dynamiczone") return [];
    return schema.components.map((component, index) => ({ owner, attribute, component, path: ["components", index] }));
  });

const placeOf = ({ owner, attribute, path }: Use) => valueIn(owner, "attributes", attribute, ...path);

const checkUse = (use: Use, known: ReadonlySet<string>, broken: ReadonlySet<string>, report: Report): void => {
  const { attribute, component } = use;
  if (known.has(component) || broken.has(component)) return;
  const suggestion = nearest(component, known);
  report(problems.danglingComponent, placeOf(use), { attribute, component }, { suggestion });
};

/** Reports each cycle once, at the attribute of its first component by uid. */
const checkCircles = (components: readonly PreparedComponent[], report: Report): void => {
  const uses = new Map(components.map((component) => [component.uid, componentUses(component)]));
  const finished = new Set<string>();
  const visit = (uid: string, path: readonly Use[]): void => {
    if (finished.has(uid)) return;
    for (const use of uses.get(uid) ?? []) {
      const trail = [...path, use];
      const start = trail.findIndex(({ owner }) => owner.uid === use.component);
      const first = trail[start];
      if (first) {
        const circle = [...trail.slice(start).map(({ owner }) => owner.uid), use.component];
        report(problems.componentCircle, placeOf(first), { circle: circle.join(" > ") });
      } else visit(use.component, trail);
    }
    finished.add(uid);
  };
  for (const { uid } of components) visit(uid, []);
};

const checkZones = (owner: PreparedType | PreparedComponent, report: Report): void => {
  for (const [attribute, schema] of owner.attributes) {
    if (schema.type !== "dynamiczone") continue;
    if (schema.components.length === 0)
      report(problems.emptyZone, valueIn(owner, "attributes", attribute, "components"), { attribute });
    for (const [index, component] of schema.components.entries())
      if (schema.components.indexOf(component) < index) {
        const place = valueIn(owner, "attributes", attribute, "components", index);
        report(problems.repeatedComponent, place, { attribute, component });
      }
  }
};

/** A component's name consists of its folder and file, which become parts of paths and names. */
const checkName = (component: PreparedComponent, report: Report): void => {
  const { category, name } = component;
  if (![category, name].every((part) => /^[A-Za-z][-_0-9A-Za-z]*$/.test(part)))
    report(problems.uidName, valueIn(component), { uid: component.uid });
};

/** Indexes of entries and texts of files are those of content types. */
const checkOptions = (component: PreparedComponent, report: Report): void => {
  for (const [attribute, schema] of component.attributes) {
    const isIndexed = (schema.type === "component" || schema.type === "dynamiczone") && schema.index === true;
    const option = isIndexed ? "index" : schema.type === "media" && schema.search === true ? "search" : undefined;
    if (!option) continue;
    report(problems.idleOption, valueIn(component, "attributes", attribute, option), { attribute, option });
  }
};

/** Reports components that are missing, contain themselves, or have invalid names. */
export const checkComponents = (prepared: Prepared, broken: ReadonlySet<string>, report: Report): void => {
  const known = new Set(prepared.components.map(({ uid }) => uid));
  for (const owner of [...prepared.contentTypes, ...prepared.components]) {
    for (const use of componentUses(owner)) checkUse(use, known, broken, report);
    checkZones(owner, report);
  }
  for (const component of prepared.components) {
    checkName(component, report);
    checkOptions(component, report);
  }
  checkCircles(prepared.components, report);
};
