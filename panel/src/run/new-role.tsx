import { TextInput } from "@mantine/core";
import { send } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useInputs } from "../ui/inputs.ts";

/** Creates a role that may do nothing yet. */
export const NewRole = ({ close }: { close(): void }) => {
  const t = useText();
  const { values, text } = useInputs({ name: "", description: "" });
  const submit = () => send("POST", "/users-permissions/roles", { body: values });
  return (
    <FormDialog title={t("role.add")} done={t("edit.created")} changes="roles" submit={submit} close={close}>
      <TextInput label={t("people.name")} required data-autofocus {...text("name")} />
      <TextInput label={t("role.description")} {...text("description")} />
    </FormDialog>
  );
};
