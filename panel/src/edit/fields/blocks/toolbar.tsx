import { Button, Group, Popover, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { ReactEditor, useSlate } from "slate-react";
import { useText } from "../../../i18n/index.ts";
import { IconButton, type IconButtonProps } from "../../../ui/buttons.tsx";
import type { IconName } from "../../../ui/icons.tsx";
import { isMarked, kindAt, linkAt, setKind, setLink, toggleMark } from "./editing.ts";
import type { Mark } from "./types.ts";

const MARKS = [
  ["bold", "bold", "Ctrl+B"],
  ["italic", "italic", "Ctrl+I"],
  ["underline", "underline", "Ctrl+U"],
  ["strikethrough", "strike", ""],
  ["code", "code", "Ctrl+E"],
] as const satisfies readonly (readonly [Mark, IconName, string])[];

const KIND_NAMES = [
  { value: "paragraph", label: "¶" },
  { value: "heading1", label: "H1" },
  { value: "heading2", label: "H2" },
  { value: "heading3", label: "H3" },
  { value: "heading4", label: "H4" },
  { value: "quote", label: "“ ”" },
  { value: "code", label: "</>" },
];

/** A button that leaves the cursor in the text. */
const ToolButton = ({ isOn, ...props }: IconButtonProps & { readonly isOn: boolean }) => (
  <IconButton
    variant={isOn ? "light" : "subtle"}
    aria-pressed={isOn}
    onMouseDown={(event) => event.preventDefault()}
    {...props}
  />
);

const LinkButton = ({ readOnly }: { readonly readOnly: boolean }) => {
  const t = useText();
  const editor = useSlate();
  const [url, setUrl] = useState<string>();
  const apply = (): void => {
    setLink(editor, url ?? "");
    setUrl(undefined);
    ReactEditor.focus(editor);
  };
  return (
    <Popover opened={url !== undefined} onChange={() => setUrl(undefined)} width={280} trapFocus shadow="md">
      <Popover.Target>
        <ToolButton
          icon="link"
          label={t("blocks.link")}
          isOn={linkAt(editor) !== undefined}
          disabled={readOnly}
          onClick={() => setUrl(linkAt(editor) ?? "https://")}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <TextInput
          label={t("blocks.link")}
          value={url ?? ""}
          onChange={(event) => setUrl(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            apply();
          }}
        />
        <Button size="xs" mt="xs" onClick={apply}>
          {t("filter.apply")}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
};

export const Toolbar = ({ label, readOnly }: { readonly label: string; readonly readOnly: boolean }) => {
  const t = useText();
  const editor = useSlate();
  const kind = kindAt(editor);
  const listButton = (name: "ordered" | "unordered", icon: "list" | "listOrdered") => (
    <ToolButton
      icon={icon}
      label={t(`mark.${icon}`)}
      isOn={kind === name}
      disabled={readOnly}
      onClick={() => setKind(editor, kind === name ? "paragraph" : name)}
    />
  );
  return (
    <Group className="writing-bar" gap={2} role="toolbar" aria-label={label}>
      <Select
        w={76}
        size="xs"
        variant="unstyled"
        px={6}
        aria-label={label}
        data={KIND_NAMES}
        value={KIND_NAMES.some(({ value }) => value === kind) ? kind : "paragraph"}
        allowDeselect={false}
        disabled={readOnly}
        onChange={(name) => {
          setKind(editor, name ?? "paragraph");
          ReactEditor.focus(editor);
        }}
      />
      {MARKS.map(([mark, icon, keys]) => (
        <ToolButton
          key={mark}
          icon={icon}
          label={t(`mark.${icon}`)}
          isOn={isMarked(editor, mark)}
          title={keys}
          disabled={readOnly}
          onClick={() => toggleMark(editor, mark)}
        />
      ))}
      {listButton("unordered", "list")}
      {listButton("ordered", "listOrdered")}
      <LinkButton readOnly={readOnly} />
    </Group>
  );
};
