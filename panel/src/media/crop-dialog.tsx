/** Cuts a part out of an image, and stores it as a new file or in place of the image. */
import { Radio, SegmentedControl, Text } from "@mantine/core";
import type { FileInfo } from "galley-cms/client";
import { useState } from "react";
import { centerCrop, convertToPixelCrop, makeAspectCrop, type PercentCrop, ReactCrop } from "react-image-crop";
import "react-image-crop/dist/ReactCrop.css";
import { client } from "../api/client.ts";
import { named, type Translate, useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Fault, Muted } from "../ui/states.tsx";
import { currentUrl, type MediaFile } from "./thumbnail.tsx";

/** Width divided by height; of a free shape, 0. */
const SHAPES: Readonly<Record<string, number>> = { free: 0, "1:1": 1, "4:3": 4 / 3, "16:9": 16 / 9, "3:4": 3 / 4 };

/** The largest part of a shape, in the middle; of a free shape, the whole image. */
const largest = (shape: string, { naturalWidth: width, naturalHeight: height }: HTMLImageElement): PercentCrop =>
  centerCrop(makeAspectCrop({ unit: "%", width: 100 }, SHAPES[shape] || width / height, width, height), width, height);

/** In whole pixels of the image. */
const pixelsOf = (crop: PercentCrop, { naturalWidth, naturalHeight }: HTMLImageElement) => {
  const { x, y, width, height } = convertToPixelCrop(crop, naturalWidth, naturalHeight);
  const [left, top] = [Math.round(x), Math.round(y)];
  return { left, top, width: Math.round(x + width) - left || 1, height: Math.round(y + height) - top || 1 };
};

const cutOut = (image: HTMLImageElement, part: ReturnType<typeof pixelsOf>, type: string): Promise<Blob | null> => {
  const { left, top, width, height } = part;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  // Reading back from a graphics card would be slower.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(image, left, top, width, height, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.95));
};

/** The focal point within a part; none if it is outside. */
const focalPointIn = (point: FileInfo["focalPoint"], crop: PercentCrop): FileInfo["focalPoint"] => {
  if (!point) return null;
  const x = Math.round((100 * (point.x - crop.x)) / crop.width);
  const y = Math.round((100 * (point.y - crop.y)) / crop.height);
  return Math.min(x, y) < 0 || Math.max(x, y) > 100 ? null : { x, y };
};

/** What readers of the screen are told of the frame, its edges and corners. */
const labels = (t: Translate) => {
  const { ariaLabels } = ReactCrop.defaultProps;
  return {
    ...ariaLabels,
    ...Object.fromEntries(Object.keys(ariaLabels).map((name) => [name, named(t, "crop", name)])),
  };
};

interface Props {
  readonly file: MediaFile;
  readonly info: FileInfo;
  close(): void;
  stored(): void;
}

export const CropDialog = ({ file, info, ...dialog }: Props) => {
  const t = useText();
  const [image, setImage] = useState<HTMLImageElement>();
  const [isUnreadable, setUnreadable] = useState(false);
  const [shape, setShape] = useState("free");
  const [crop, setCrop] = useState<PercentCrop>();
  const [target, setTarget] = useState("new");
  const part = crop && image ? pixelsOf(crop, image) : undefined;
  const submit = async (): Promise<void> => {
    if (!crop || !image || !part) return;
    const blob = await cutOut(image, part, file.mime);
    // Some browsers write PNG in place of what they cannot write.
    if (blob?.type !== file.mime) throw new Error(t("crop.failed"));
    const described = { ...info, focalPoint: focalPointIn(info.focalPoint, crop) };
    const name = (info.name ?? file.name).replace(/(\.[^.]*)?$/, `-${part.width}x${part.height}$1`);
    if (target === "new") await client.files.upload(new File([blob], name), { info: { ...described, name } });
    else await client.files.replace(file.id, new File([blob], file.name), { info: described });
  };
  const choose = (name: string): void => {
    setShape(name);
    if (image) setCrop(largest(name, image));
  };
  return (
    <FormDialog
      title={t("crop.title")}
      size="lg"
      changes="files"
      done={t("crop.done")}
      isComplete={part !== undefined}
      submit={submit}
      {...dialog}
    >
      <Fault text={isUnreadable ? t("crop.failed") : undefined} />
      <SegmentedControl
        aria-label={t("crop.shape")}
        value={shape}
        onChange={choose}
        data={Object.keys(SHAPES).map((value) => ({ value, label: value === "free" ? t("crop.free") : value }))}
      />
      <ReactCrop
        className="crop"
        crop={crop}
        aspect={SHAPES[shape] || undefined}
        keepSelection
        ruleOfThirds
        ariaLabels={labels(t)}
        onChange={(_pixels, next) => setCrop(next)}
      >
        <img
          src={currentUrl(file.url, file)}
          crossOrigin="anonymous"
          alt={file.alternativeText ?? ""}
          onError={() => setUnreadable(true)}
          onLoad={({ currentTarget }) => {
            setImage(currentTarget);
            setCrop(largest("free", currentTarget));
          }}
        />
      </ReactCrop>
      <Muted size="xs">{t("crop.help")}</Muted>
      <Text size="sm" aria-live="polite">
        {t("media.size")}: {part ? `${part.width} × ${part.height}` : ""}
      </Text>
      <Radio.Group label={t("crop.target")} value={target} onChange={setTarget}>
        <Radio mt="xs" value="new" label={t("crop.new")} description={t("crop.newText")} />
        <Radio mt="xs" value="replace" label={t("media.replace")} description={t("crop.replaceText")} />
      </Radio.Group>
    </FormDialog>
  );
};
