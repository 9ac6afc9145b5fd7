import { Text } from "@mantine/core";
import { type Attribute, titleOf, useModel } from "../api/description.ts";
import { useLanguage } from "../i18n/index.ts";
import { isFile, Thumbnail } from "../media/thumbnail.tsx";
import { longTime } from "../ui/time.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const Documents = ({ attribute, value }: { readonly attribute: Attribute; readonly value: unknown }) => {
  const target = useModel().type(attribute.target);
  const items = (Array.isArray(value) ? value : [value]).filter(isObject);
  const names = items.map((item) => titleOf(target?.attributes ?? {}, item) ?? String(item["documentId"]));
  return (
    <Text size="sm" maw={260} truncate title={names.join(", ")}>
      {names.slice(0, 3).join(", ")}
      {names.length > 3 ? ` +${names.length - 3}` : ""}
    </Text>
  );
};

/** A value in a list. */
export const Cell = ({ attribute, value }: { readonly attribute: Attribute | undefined; readonly value: unknown }) => {
  const { t, language } = useLanguage();
  if (!attribute || value === null || value === undefined) return <Text c="dimmed">–</Text>;
  switch (attribute.type) {
    case "media": {
      const [file] = Array.isArray(value) ? value : [value];
      return isFile(file) ? <Thumbnail file={file} size={36} /> : <Text c="dimmed">–</Text>;
    }
    case "relation":
      return <Documents attribute={attribute} value={value} />;
    case "boolean":
      return t(value === true ? "value.yes" : "value.no");
    case "datetime":
      return longTime(String(value), language);
    default:
      return (
        <Text size="sm" maw={320} truncate>
          {typeof value === "object" ? JSON.stringify(value) : String(value)}
        </Text>
      );
  }
};
