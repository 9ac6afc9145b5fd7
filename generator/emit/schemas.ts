/** The Zod schemas of content types and components, for drafts and for published versions. */
import type { AttributeView } from "../attributes/catalogue.ts";
import type { Attribute, Component, ContentType } from "../model/model.ts";
import type { EmitInput } from "./emitter.ts";

/**
 * An attribute with the constraints of drafts: nothing is required, and minimums and patterns do not apply. Required
 * lists must exist, but may have any length.
 */
export const inDraft = (attribute: Attribute): Attribute => {
  switch (attribute.kind) {
    case "scalar": {
      // A published password is a hash, which says nothing about its length.
      if (attribute.type === "password") return { ...attribute, required: false };
      const type = attribute.type === "uid" || attribute.type === "email" ? "string" : attribute.type;
      return { ...attribute, type, required: false, minLength: undefined, min: undefined, regex: undefined };
    }
    case "component":
      return { ...attribute, required: attribute.repeatable && attribute.required, min: undefined, max: undefined };
    case "dynamiczone":
      return { ...attribute, min: undefined, max: undefined };
    case "media":
    case "relation":
      return { ...attribute, required: false };
  }
};

const isAlike = (one: AttributeView, other: AttributeView | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The view for the schemas; `hasDrafts` says whether there are drafts. */
export const schemaView = (
  owner: ContentType | Component,
  hasDrafts: boolean,
  { attributesOf, draftsOf }: EmitInput,
) => {
  const attributes = attributesOf(owner);
  const drafts = hasDrafts ? draftsOf(owner) : [];
  return {
    /** Whether the validation of some attributes depends on others. */
    conditional: owner.attributes.some(({ condition }) => condition !== undefined),
    attributes,
    draftConst: hasDrafts ? owner.names.draftConst : "",
    /** The attributes with the constraints of drafts, and those with further constraints once published. */
    drafts,
    stricter: attributes.filter((each, index) => !isAlike(each, drafts[index])),
  };
};
