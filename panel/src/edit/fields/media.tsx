import { Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { DropArea } from "../../media/drop-area.tsx";
import { isFile, type MediaFile, Thumbnail } from "../../media/thumbnail.tsx";
import { useUpload } from "../../media/upload.ts";
import { ActionButton, IconButton } from "../../ui/buttons.tsx";
import { Muted } from "../../ui/states.tsx";
import type { FieldProps } from "../field.tsx";
import { useField } from "../form.ts";
import { FieldFrame } from "./frame.tsx";
import { moved, Sortable, SortableItem } from "./sortable.tsx";

const LibraryDialog = lazy(async () => ({ default: (await import("../../media/library-dialog.tsx")).LibraryDialog }));

const asList = (value: unknown): readonly MediaFile[] => (Array.isArray(value) ? value : [value]).filter(isFile);

interface ItemProps {
  readonly file: MediaFile;
  readonly readOnly: boolean;
  readonly many: boolean;
  remove(): void;
}

const FileItem = ({ file, readOnly, many, remove }: ItemProps) => {
  const t = useText();
  return (
    <SortableItem id={String(file.id)} name={file.name} readOnly={readOnly || !many}>
      {(grip) => (
        <Group gap="sm" p="xs" wrap="nowrap" className="entry">
          {grip}
          <Thumbnail file={file} size={48} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" truncate>
              {file.name}
            </Text>
            <Muted size="xs" truncate>
              {file.alternativeText || file.mime}
            </Muted>
          </div>
          {readOnly ? null : <IconButton icon="x" label={`${t("action.remove")}: ${file.name}`} onClick={remove} />}
        </Group>
      )}
    </SortableItem>
  );
};

export const MediaField = ({ label, path, attribute, readOnly }: FieldProps) => {
  const t = useText();
  const model = useModel();
  const { value, fault, set } = useField(path);
  const [isOpen, { open, close }] = useDisclosure(false);
  const files = asList(value);
  const many = attribute.multiple === true;
  const store = (next: readonly MediaFile[]): void => set(many ? next : (next.at(-1) ?? null));
  const add = (more: readonly MediaFile[]): void =>
    store([...files, ...more.filter((file) => !files.some((other) => other.id === file.id))]);
  const { upload, isBusy } = useUpload(add);
  const mayUpload = model.can("plugin::upload.content-api.upload") && !readOnly;
  const mayBrowse = model.can("plugin::upload.content-api.findPage") && !readOnly;
  return (
    <FieldFrame label={label} attribute={attribute} fault={fault}>
      <DropArea disabled={!mayUpload} drop={upload} multiple={many}>
        {(browse) => (
          <Stack gap={6} mt={2}>
            <Sortable ids={files.map((file) => String(file.id))} move={(from, to) => store(moved(files, from, to))}>
              {files.map((file) => (
                <FileItem
                  key={file.id}
                  file={file}
                  readOnly={readOnly}
                  many={many}
                  remove={() => store(files.filter((other) => other !== file))}
                />
              ))}
            </Sortable>
            {files.length === 0 && readOnly ? <Muted>{t("field.empty")}</Muted> : null}
            <Group gap="xs">
              {mayBrowse ? (
                <ActionButton icon="image" size="xs" variant="default" onClick={open}>
                  {t("media.fromLibrary")}
                </ActionButton>
              ) : null}
              {mayUpload ? (
                <ActionButton icon="upload" size="xs" variant="default" loading={isBusy} onClick={browse}>
                  {t("media.upload")}
                </ActionButton>
              ) : null}
            </Group>
          </Stack>
        )}
      </DropArea>
      {isOpen ? (
        <Suspense>
          <LibraryDialog many={many} allowed={attribute.allowedTypes ?? []} close={close} choose={add} />
        </Suspense>
      ) : null}
    </FieldFrame>
  );
};
