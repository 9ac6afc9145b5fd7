/** The folders of the library: where one is, what is in it, and what can be done with it. */
import { Anchor, Breadcrumbs, Group, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useLanguage, useText } from "../i18n/index.ts";
import { ActionButton, DeleteButton } from "../ui/buttons.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useTask } from "../ui/task.ts";

interface Folder {
  readonly id: number;
  readonly name: string;
  readonly parent: number | null;
}

/** All folders; none where there are no folders, or the user may not see them. */
const useFolders = (): readonly Folder[] => {
  const { language } = useLanguage();
  const enabled = useModel().can("plugin::upload.folder.list");
  const queryFn = () => send<readonly Folder[]>("GET", "/upload/folders");
  const { data = [] } = useQuery({ queryKey: ["files", "folders"], queryFn, enabled });
  return data.toSorted((one, other) => one.name.localeCompare(other.name, language, { numeric: true }));
};

/** The folders on the way to one, outermost first, and itself. */
const wayTo = (folders: readonly Folder[], id: number | null): readonly Folder[] => {
  const folder = folders.find((each) => each.id === id);
  return folder ? [...wayTo(folders, folder.parent), folder] : [];
};

interface SelectProps {
  /** Those that may be chosen. */
  readonly folders: readonly Folder[];
  readonly chosen: number | null;
  choose(folder: number | null): void;
}

const FolderSelect = ({ folders, chosen, choose }: SelectProps) => {
  const t = useText();
  const paths = folders.map(({ id }) => ({
    value: String(id),
    label: wayTo(folders, id)
      .map(({ name }) => name)
      .join(" / "),
  }));
  return (
    <Select
      label={t("folder.in")}
      searchable
      allowDeselect={false}
      value={String(chosen ?? "")}
      data={[{ value: "", label: t("media.library") }, ...paths.toSorted((a, b) => a.label.localeCompare(b.label))]}
      onChange={(next) => choose(next ? Number(next) : null)}
    />
  );
};

/** Moves files into a folder. */
export const MoveDialog = ({ files, close, stored }: { readonly files: readonly number[] } & Closing) => {
  const t = useText();
  const folders = useFolders();
  const [to, setTo] = useState<number | null>(null);
  const submit = () => send("POST", "/upload/move", { body: { files, to } });
  const done = t("folder.moved");
  return (
    <FormDialog title={t("folder.move")} action={t("folder.move")} changes="files" {...{ done, submit, close, stored }}>
      <FolderSelect folders={folders} chosen={to} choose={setTo} />
    </FormDialog>
  );
};

interface Closing {
  close(): void;
  stored?(): void;
}

interface FolderProps extends Closing {
  readonly folders: readonly Folder[];
  /** The folder that is changed; without one, a new one is made. */
  readonly folder?: Folder | undefined;
  readonly parent: number | null;
}

/** The name of a folder, and what it is in. */
const FolderDialog = ({ folders, folder, parent: before, close }: FolderProps) => {
  const t = useText();
  const [name, setName] = useState(folder?.name ?? "");
  const [parent, setParent] = useState(before);
  const submit = () => send(folder ? "PUT" : "POST", `/upload/folders/${folder?.id ?? ""}`, { body: { name, parent } });
  const outside = folders.filter(({ id }) => !folder || !wayTo(folders, id).includes(folder));
  return (
    <FormDialog
      title={t(folder ? "folder.change" : "folder.new")}
      changes="files"
      isComplete={name.trim() !== ""}
      submit={submit}
      close={close}
    >
      <TextInput
        data-autofocus
        label={t("media.name")}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FolderSelect folders={outside} chosen={parent} choose={setParent} />
    </FormDialog>
  );
};

interface Props {
  /** The id of the open folder; null is the top. */
  readonly open: number | null;
  go(folder: number | null): void;
}

/** What can be done with the open folder. */
const FolderActions = ({ folders, open, go }: Props & Pick<FolderProps, "folders">) => {
  const t = useText();
  const [asked, setAsked] = useState<"new" | "change">();
  const { confirmDeletion, dialog } = useConfirm();
  const run = useTask(["files"]);
  const folder = folders.find(({ id }) => id === open);
  const remove = async ({ id, parent }: Folder): Promise<void> => {
    if (await run(t("edit.deleted"), () => send("DELETE", `/upload/folders/${id}`))) go(parent);
  };
  return (
    <Group gap="xs">
      <ActionButton size="xs" icon="plus" variant="default" onClick={() => setAsked("new")}>
        {t("folder.new")}
      </ActionButton>
      {folder ? (
        <>
          <ActionButton size="xs" icon="folder" variant="default" onClick={() => setAsked("change")}>
            {t("folder.change")}
          </ActionButton>
          <DeleteButton size="xs" onClick={() => confirmDeletion(folder.name, () => remove(folder))} />
        </>
      ) : null}
      {asked ? (
        <FolderDialog
          folders={folders}
          folder={asked === "change" ? folder : undefined}
          parent={asked === "change" && folder ? folder.parent : open}
          close={() => setAsked(undefined)}
        />
      ) : null}
      {dialog}
    </Group>
  );
};

/** The way to the open folder, and the folders in it; with `managed`, also what changes them. */
export const FolderBar = ({ managed, open, go }: Props & { readonly managed: boolean }) => {
  const t = useText();
  const model = useModel();
  const folders = useFolders();
  if (!model.can("plugin::upload.folder.list")) return null;
  const way = wayTo(folders, open);
  const inside = folders.filter(({ parent }) => parent === open);
  return (
    <nav aria-label={t("folder.all")}>
      <Group justify="space-between" my="xs">
        <Breadcrumbs style={{ flexWrap: "wrap" }}>
          {[{ id: null, name: t("media.library") }, ...way].map(({ id, name }) => (
            <Anchor
              key={id}
              component="button"
              type="button"
              size="sm"
              aria-current={id === open ? "location" : undefined}
              onClick={() => go(id)}
            >
              {name}
            </Anchor>
          ))}
        </Breadcrumbs>
        {managed && model.can("plugin::upload.folder.change") ? (
          <FolderActions folders={folders} open={open} go={go} />
        ) : null}
      </Group>
      <Group gap="xs" mb="sm" component="ul" p={0} style={{ listStyle: "none" }}>
        {inside.map(({ id, name }) => (
          <li key={id}>
            <ActionButton icon="folder" variant="default" maw={260} onClick={() => go(id)}>
              {name}
            </ActionButton>
          </li>
        ))}
      </Group>
    </nav>
  );
};
