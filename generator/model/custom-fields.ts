/** Base types of the custom fields of well-known plugins. What is not listed is kept as `json`, which loses nothing. */
const BASE_TYPES = new Map<string, "string" | "text" | "richtext" | "json">([
  ["plugin::ckeditor.CKEditor", "richtext"],
  ["plugin::ckeditor5.CKEditor", "richtext"],
  ["plugin::tinymce.tinymce", "richtext"],
  ["plugin::color-picker.color", "string"],
  ["plugin::country-select.country", "string"],
  ["plugin::multi-select.multi-select", "json"],
]);

/** The attribute type that a custom field is stored as. */
export const baseTypeOf = (customField: string): "string" | "text" | "richtext" | "json" =>
  BASE_TYPES.get(customField) ?? "json";
