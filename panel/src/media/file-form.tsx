import { Anchor, Button, FileButton, Group, Image, Stack, Textarea, TextInput } from "@mantine/core";
import type { FileInfo } from "galley-cms/client";
import { type KeyboardEvent, lazy, type MouseEvent, Suspense, useState } from "react";
import { client } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { ActionButton, DeleteButton } from "../ui/buttons.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { useInputs } from "../ui/inputs.ts";
import { Muted } from "../ui/states.tsx";
import { useTask } from "../ui/task.ts";
import { currentUrl, isImage, type MediaFile } from "./thumbnail.tsx";
import { Usage } from "./usage.tsx";

const CropDialog = lazy(async () => ({ default: (await import("./crop-dialog.tsx")).CropDialog }));

/** Images that a browser can write. */
const CROPPED = new Set(["image/jpeg", "image/png", "image/webp"]);

interface Point {
  readonly x: number;
  readonly y: number;
}

const isPoint = (value: unknown): value is Point =>
  typeof value === "object" && value !== null && "x" in value && "y" in value;

/** Sizes are in kilobytes. */
const sizeOf = ({ size = 0, width, height }: MediaFile): string =>
  [
    size < 1000 ? `${Math.round(size)} kB` : `${(size / 1000).toFixed(1)} MB`,
    ...(width && height ? [`${width} × ${height}`] : []),
  ].join(", ");

interface PictureProps {
  readonly file: MediaFile;
  readonly point: Point | null;
  choose(point: Point): void;
}

/** An offset in percent of a length. */
const share = (offset: number, whole: number): number => Math.round(Math.min(100, Math.max(0, (100 * offset) / whole)));

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** An image on which a click or the arrow keys set the focal point. */
const Picture = ({ file, point, choose }: PictureProps) => {
  const t = useText();
  const pick = (event: MouseEvent<HTMLElement>): void => {
    // A click by a key has no place.
    if (event.detail === 0) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    choose({ x: share(event.clientX - left, width), y: share(event.clientY - top, height) });
  };
  const move = (event: KeyboardEvent): void => {
    const [right, down] = STEPS[event.key] ?? [];
    if (right === undefined || down === undefined) return;
    event.preventDefault();
    const { x, y } = point ?? { x: 50, y: 50 };
    choose({ x: share(x + right, 100), y: share(y + down, 100) });
  };
  return (
    <div>
      <button type="button" className="focal" aria-label={t("media.focal")} onClick={pick} onKeyDown={move}>
        <Image src={currentUrl(file.url, file)} alt={file.alternativeText ?? ""} radius="md" />
        {point ? <span className="focal-point" style={{ left: `${point.x}%`, top: `${point.y}%` }} /> : null}
      </button>
      <Muted size="xs" mt={4}>
        {t("media.focalHelp")}
      </Muted>
    </div>
  );
};

interface ActionsProps {
  readonly file: MediaFile;
  readonly readOnly: boolean;
  readonly description: FileInfo;
  run(message: string, work: () => Promise<unknown>): Promise<void>;
}

const Actions = ({ file, readOnly, description, run }: ActionsProps) => {
  const t = useText();
  const model = useModel();
  const { confirmDeletion, dialog } = useConfirm();
  const remove = (): void => void run(t("edit.deleted"), () => client.files.delete(file.id));
  const replace = (content: File | null): void =>
    content
      ? void run(t("media.replaced"), () => client.files.replace(file.id, content, { info: description }))
      : undefined;
  return (
    <Group justify="space-between">
      {model.can("plugin::upload.content-api.destroy") ? (
        <DeleteButton onClick={() => confirmDeletion(file.name, remove)} />
      ) : null}
      {readOnly ? null : (
        <>
          <FileButton accept={file.mime} onChange={replace}>
            {(props) => (
              <ActionButton icon="upload" variant="default" {...props}>
                {t("media.replace")}
              </ActionButton>
            )}
          </FileButton>
          <Button type="submit" ml="auto">
            {t("action.save")}
          </Button>
        </>
      )}
      {dialog}
    </Group>
  );
};

/** Edits the name and the descriptions of a file. A part of it is put into the folder; null is the top. */
export const FileForm = ({
  file,
  folder,
  close,
}: Pick<ActionsProps, "file"> & { folder: number | null; close(): void }) => {
  const t = useText();
  const readOnly = !useModel().can("plugin::upload.content-api.upload");
  const { name, alternativeText, caption } = file;
  const { values, text } = useInputs({ name, alternativeText: alternativeText ?? "", caption: caption ?? "" });
  const [focalPoint, setPoint] = useState(isPoint(file.focalPoint) ? file.focalPoint : null);
  const description = { ...values, focalPoint };
  const [isCropping, setCropping] = useState(false);
  const runTask = useTask(["files"]);
  const run = async (message: string, work: () => Promise<unknown>): Promise<void> => {
    if (await runTask(message, work)) close();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(t("edit.saved"), () => client.files.update(file.id, description));
      }}
    >
      <Stack>
        {isImage(file) ? <Picture file={file} point={focalPoint} choose={readOnly ? () => {} : setPoint} /> : null}
        {!readOnly && CROPPED.has(file.mime) ? (
          <ActionButton icon="crop" variant="default" size="xs" mr="auto" onClick={() => setCropping(true)}>
            {t("crop.title")}
          </ActionButton>
        ) : null}
        {isCropping ? (
          <Suspense>
            <CropDialog file={file} info={{ ...description, folder }} close={() => setCropping(false)} stored={close} />
          </Suspense>
        ) : null}
        <TextInput label={t("media.name")} readOnly={readOnly} {...text("name")} />
        <Textarea label={t("media.alt")} autosize minRows={2} readOnly={readOnly} {...text("alternativeText")} />
        <TextInput label={t("media.caption")} readOnly={readOnly} {...text("caption")} />
        <Muted>
          {t("media.size")}: {sizeOf(file)}
        </Muted>
        <Usage file={file} />
        <Anchor href={file.url} target="_blank" rel="noreferrer" size="sm" style={{ overflowWrap: "anywhere" }}>
          {file.url}
        </Anchor>
        <Actions file={file} readOnly={readOnly} description={description} run={run} />
      </Stack>
    </form>
  );
};
