/** Field methods that Pothos lacks: `t.relation`, `t.file`, `t.component`, `t.zone` and so on. */
import { ObjectFieldBuilder } from "@pothos/core";
import type { InputFields, ObjectFields, OutputField } from "../builder.ts";
import { listArgs } from "../schema/arguments.ts";
import { readPopulated } from "../schema/ready.ts";
import { type Link, linkField, linksConnection, linksField } from "../schema/relation.ts";
import { scopeOf } from "../schema/scope.ts";
import type { AttributeOptions } from "./attribute-words.ts";
import { documentLink, fileLink, filtersOfTarget, morphUnion, zoneFilters, zoneInputName, zoneUnion } from "./links.ts";
import { filtersOf, inputOf, withMembers } from "./members.ts";

const ids = (t: InputFields) => t.field({ type: t.listRef("ID", { required: false }) });
const id = (t: InputFields) => t.id();

const toMany = (t: ObjectFields, link: Link, options: AttributeOptions): OutputField => {
  const scope = scopeOf(t.builder);
  return withMembers(linksField(scope, t, link, options), {
    input: ids,
    ...(link.isFile ? {} : { filter: link.filters, target: link.uid }),
    ...(scope.format === "flat" ? { connection: linksConnection(scope, t, link, options) } : {}),
  });
};

Object.assign(ObjectFieldBuilder.prototype, {
  relation(this: ObjectFields, _name: string, target: string, options: AttributeOptions = {}): OutputField {
    const scope = scopeOf(this.builder);
    const link = documentLink(scope, target);
    return withMembers(linkField(scope, this, link, options), { input: id, filter: link.filters, target: link.uid });
  },
  relations(this: ObjectFields, _name: string, target: string, options: AttributeOptions = {}): OutputField {
    return toMany(this, documentLink(scopeOf(this.builder), target), options);
  },
  file(this: ObjectFields, _name: string, options: AttributeOptions = {}): OutputField {
    const scope = scopeOf(this.builder);
    return withMembers(linkField(scope, this, fileLink(scope), options), { input: id });
  },
  files(this: ObjectFields, _name: string, options: AttributeOptions = {}): OutputField {
    return toMany(this, fileLink(scopeOf(this.builder)), options);
  },
  morph(this: ObjectFields, _name: string, options: AttributeOptions = {}): OutputField {
    const type = morphUnion(scopeOf(this.builder));
    return withMembers(this.field({ ...options, type, nullable: true, resolve: readPopulated }), {});
  },
  morphs(this: ObjectFields, _name: string, options: AttributeOptions = {}): OutputField {
    const type = morphUnion(scopeOf(this.builder));
    const nullable = { list: true, items: true };
    return withMembers(this.field({ ...options, type: [type], nullable, resolve: readPopulated }), {});
  },
  component(this: ObjectFields, _name: string, target: string, options: AttributeOptions = {}): OutputField {
    const scope = scopeOf(this.builder);
    const type = scope.refs.object(target);
    const { nullable = true } = options;
    return withMembers(this.field({ ...options, type, nullable, resolve: readPopulated }), {
      input: (t) => t.field({ type: inputOf(scope, scope.catalog.named(target)) }),
      filter: filtersOfTarget(scope, target),
      target: scope.catalog.named(target).uid,
    });
  },
  components(this: ObjectFields, _name: string, target: string, options: AttributeOptions = {}): OutputField {
    const scope = scopeOf(this.builder);
    const component = scope.catalog.named(target);
    const type = scope.refs.object(target);
    const nullable = { list: options.nullable ?? true, items: true };
    const args = listArgs(scope, this, filtersOf(scope, component));
    return withMembers(this.field({ ...options, type: [type], nullable, args, resolve: readPopulated }), {
      input: (t) => t.field({ type: t.listRef(inputOf(scope, component), { required: false }) }),
      filter: filtersOfTarget(scope, target),
      target: component.uid,
    });
  },
  zone(
    this: ObjectFields,
    _name: string,
    union: string,
    components: readonly string[],
    options: AttributeOptions = {},
  ): OutputField {
    const scope = scopeOf(this.builder);
    const declarations = components.map((name) => scope.catalog.named(name));
    const type = zoneUnion(scope, union, declarations);
    const nullable = { list: options.nullable ?? true, items: true };
    return withMembers(this.field({ ...options, type: [type], nullable, resolve: readPopulated }), {
      input: (t) => t.field({ type: [zoneInputName(scope, union, declarations)] }),
      ...(scope.filtersZones ? { filter: zoneFilters(scope, union, declarations) } : {}),
    });
  },
});
