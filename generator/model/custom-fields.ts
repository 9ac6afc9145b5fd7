/** Custom fields: attributes whose base type their plugin determines. */
import type { CustomFieldType } from "../../runtime/config/custom-fields.ts";

/** Base types by uid, as in the configuration's `customFields`. */
export type CustomFieldTypes = Readonly<Record<string, CustomFieldType>>;

/** The base types that well-known plugins register. */
const BASE_TYPES: ReadonlyMap<string, CustomFieldType> = new Map<string, CustomFieldType>([
  ["plugin::address-selection.address", "string"],
  ["plugin::address-selection.country", "string"],
  ["plugin::address-selection.province", "string"],
  ["plugin::advanced-fields.checkbox", "json"],
  ["plugin::advanced-fields.input", "string"],
  ["plugin::advanced-fields.radio", "json"],
  ["plugin::ckeditor.CKEditor", "richtext"],
  ["plugin::ckeditor5.CKEditor", "richtext"],
  ["plugin::cloudinary-media-library.cloudinary", "string"],
  ["plugin::color-picker.color", "string"],
  ["plugin::country-select.country", "string"],
  ["plugin::encryptable-field.encryptable-field", "text"],
  ["plugin::field-uuid.uuid", "uid"],
  ["plugin::google-maps.location-picker", "json"],
  ["plugin::icon-picker.icon-picker", "string"],
  ["plugin::lucide-icon-picker.lucide-icon", "string"],
  ["plugin::multi-select.multi-select", "json"],
  ["plugin::multiselect-field.multiselect-field", "string"],
  ["plugin::oembed.oembed", "json"],
  ["plugin::react-icons.icon", "string"],
  ["plugin::remote-select.remote-select", "string"],
  ["plugin::remote-select.searchable-remote-select", "string"],
  ["plugin::strapi-advanced-uuid.uuid", "uid"],
  ["plugin::strapi-code-editor-custom-field.code-editor-json", "json"],
  ["plugin::strapi-code-editor-custom-field.code-editor-text", "text"],
  ["plugin::strapi-country-select.country-select", "string"],
  ["plugin::strapi-location-picker.location-picker", "json"],
  ["plugin::strapi-plugin-iconhub.iconhub", "json"],
  ["plugin::table-field.table", "json"],
  ["plugin::tagsinput.tags", "json"],
  ["plugin::timezone-select.timezone", "string"],
  ["plugin::tinymce.tinymce", "richtext"],
  ["plugin::tiptap-editor.RichText", "text"],
  ["plugin::video-field.video", "json"],
]);

/** The attribute type that stores a custom field; undefined if unknown. */
export const baseTypeOf = (customField: string, configured: CustomFieldTypes): CustomFieldType | undefined =>
  (Object.hasOwn(configured, customField) ? configured[customField] : undefined) ?? BASE_TYPES.get(customField);
