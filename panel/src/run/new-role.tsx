import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { tell } from "../ui/notify.ts";

/** Creates a role that may do nothing yet. */
export const NewRole = ({ close }: { readonly close: () => void }) => {
  const t = useText();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const submit = async (): Promise<void> => {
    await send("POST", "/users-permissions/roles", { body: { name, description } });
    tell(t("edit.created"));
    await queries.invalidateQueries({ queryKey: ["roles"] });
    close();
  };
  return (
    <FormDialog title={t("role.add")} submit={submit} close={close}>
      <TextInput
        label={t("people.name")}
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t("role.description")}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
};
