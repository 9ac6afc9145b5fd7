import { Group, SegmentedControl, Textarea } from "@mantine/core";
import MarkdownIt from "markdown-it";
import { useId, useMemo, useRef, useState } from "react";
import { useText } from "../../i18n/index.ts";
import { IconButton } from "../../ui/buttons.tsx";
import type { IconName } from "../../ui/icons.tsx";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { FieldFrame } from "./frame.tsx";
import { Counter, textOf, valueOf } from "./text.tsx";

// Markup in the text is shown as text.
const markdown = new MarkdownIt({ html: false, linkify: true });

// In this tab, links would take the writer away from the text.
markdown.renderer.rules["link_open"] = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet("target", "_blank");
  tokens[index]?.attrSet("rel", "noreferrer");
  return self.renderToken(tokens, index, options);
};

const MARKS = [
  ["heading", "## ", ""],
  ["bold", "**", "**"],
  ["italic", "_", "_"],
  ["link", "[", "](https://)"],
  ["list", "- ", ""],
  ["quote", "> ", ""],
  ["code", "`", "`"],
] as const satisfies readonly (readonly [IconName, string, string])[];

const Preview = ({ text }: { readonly text: string }) => {
  const html = useMemo(() => markdown.render(text), [text]);
  // Safe, since markdown-it escapes any HTML in the text.
  return <div className="writing-text prose" dangerouslySetInnerHTML={{ __html: html }} />;
};

export const MarkdownField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const t = useText();
  const id = useId();
  const { value, fault, set } = useField(path);
  const [view, setView] = useState("write");
  const input = useRef<HTMLTextAreaElement>(null);
  const text = textOf(value);

  const wrap = (before: string, after: string): void => {
    const area = input.current;
    if (!area) return;
    const { selectionStart: from, selectionEnd: to } = area;
    area.focus();
    // This keeps the change in the browser's undo history.
    area.setRangeText(before + text.slice(from, to) + after, from, to, "end");
    set(valueOf(area.value));
  };

  return (
    <FieldFrame label={label} attribute={attribute} fault={fault} id={id}>
      <div className="writing">
        <Group className="writing-bar" gap={2} justify="space-between">
          <Group gap={2}>
            {MARKS.map(([icon, before, after]) => (
              <IconButton
                key={icon}
                icon={icon}
                label={t(icon === "link" ? "blocks.link" : `mark.${icon}`)}
                title={t(icon === "link" ? "blocks.link" : `mark.${icon}`)}
                disabled={readOnly || view !== "write"}
                onClick={() => wrap(before, after)}
              />
            ))}
          </Group>
          <SegmentedControl
            size="xs"
            aria-label={label}
            value={view}
            onChange={setView}
            data={[
              { value: "write", label: t("field.write") },
              { value: "preview", label: t("field.preview") },
            ]}
          />
        </Group>
        {view === "write" ? (
          <Textarea
            id={id}
            ref={input}
            variant="unstyled"
            px="md"
            py={4}
            autosize
            minRows={8}
            maxRows={30}
            placeholder={attribute.panel?.placeholder}
            readOnly={readOnly}
            value={text}
            onChange={(event) => set(valueOf(event.currentTarget.value))}
          />
        ) : (
          <Preview text={text} />
        )}
      </div>
      <Counter value={value} attribute={attribute} />
    </FieldFrame>
  );
};
