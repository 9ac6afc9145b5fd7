import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { tellError } from "../ui/notify.ts";
import { isFile, type MediaFile } from "./thumbnail.tsx";

/** Most files that are uploaded at the same time. */
const AT_ONCE = 3;

/** Uploads files, and reports the progress. */
export const useUpload = (done: (files: readonly MediaFile[]) => void, folder: number | null = null) => {
  const t = useText();
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState(0);
  const [share, setShare] = useState(0);

  const info = folder === null ? {} : { info: { folder } };
  const upload = async (files: readonly File[]): Promise<void> => {
    setWaiting(files.length);
    const loaded = new Map<File, number>();
    const total = files.reduce((sum, file) => sum + file.size, 0) || 1;
    const stored: MediaFile[] = [];
    const queue = [...files];
    const work = async (): Promise<void> => {
      for (let file = queue.shift(); file; file = queue.shift()) {
        const current = file;
        const onProgress = (progress: { loaded: number }): void => {
          loaded.set(current, progress.loaded);
          setShare(Math.min(100, (100 * [...loaded.values()].reduce((sum, size) => sum + size, 0)) / total));
        };
        try {
          stored.push(...(await client.files.upload(current, { onProgress, ...info })).filter(isFile));
        } catch (error) {
          tellError(t, error);
        }
        setWaiting((count) => count - 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setShare(0);
    await queries.invalidateQueries({ queryKey: ["files"] });
    if (stored.length > 0) done(stored);
  };
  return { upload: (files: readonly File[]) => void upload(files), isBusy: waiting > 0, waiting, share };
};
