/** The site's preview of the draft, in a frame beside the form. It follows each save. */
import { ActionIcon, Group, SegmentedControl, Tooltip } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useState } from "react";
import type { Document } from "../api/documents.ts";
import { useText } from "../i18n/index.ts";
import { settings } from "../settings.ts";
import { IconButton } from "../ui/buttons.tsx";
import { Icon } from "../ui/icons.tsx";
import type { Place } from "./document.ts";

/** The address of the preview of a document; undefined if the configuration has none. */
export const previewOf = ({ type, locale = "" }: Place, document: Document): string | undefined =>
  settings.previewUrl?.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(
      String({ uid: type.uid, documentId: document.documentId, locale }[name] ?? document[name] ?? ""),
    ),
  );

/** The widths of the frame, in pixels. */
const WIDTHS = { phone: 390, tablet: 768, desktop: 1280 } as const;

type Device = keyof typeof WIDTHS;

const DEVICES = Object.keys(WIDTHS) as readonly Device[];

interface Props {
  readonly url: string;
  /** When the draft was saved. */
  readonly savedAt: string;
  close(): void;
}

export const PreviewFrame = ({ url, savedAt, close }: Props) => {
  const t = useText();
  const [device, setDevice] = useState<Device>("desktop");
  const [reloads, setReloads] = useState(0);
  const { ref, width, height } = useElementSize();
  const scale = Math.min(1, (width || 1) / WIDTHS[device]);
  return (
    <section className="surface preview" aria-label={t("preview.title")}>
      <Group justify="space-between" p="xs" wrap="nowrap">
        <SegmentedControl
          size="xs"
          aria-label={t("preview.width")}
          value={device}
          onChange={(next) => setDevice(DEVICES.find((each) => each === next) ?? "desktop")}
          data={DEVICES.map((each) => ({ value: each, label: t(`preview.${each}`) }))}
        />
        <Group gap={4} wrap="nowrap">
          <Tooltip label={t("preview.reload")}>
            <IconButton icon="refresh" label={t("preview.reload")} onClick={() => setReloads(reloads + 1)} />
          </Tooltip>
          <Tooltip label={t("edit.preview")}>
            <ActionIcon
              component="a"
              href={url}
              target="_blank"
              rel="noreferrer"
              variant="subtle"
              color="gray"
              aria-label={t("edit.preview")}
            >
              <Icon name="external" />
            </ActionIcon>
          </Tooltip>
          <IconButton icon="x" label={t("action.close")} onClick={close} />
        </Group>
      </Group>
      <div ref={ref} className="preview-frame">
        <iframe
          key={`${savedAt} ${reloads}`}
          src={url}
          title={t("preview.title")}
          referrerPolicy="no-referrer"
          // A site that breaks out of frames would take the form away.
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
          style={{ width: WIDTHS[device], height: height / scale, transform: `scale(${scale})` }}
        />
      </div>
    </section>
  );
};
