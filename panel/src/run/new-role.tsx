import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf, send } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { tell } from "../ui/notify.ts";
import { Fault } from "../ui/states.tsx";

/** Creates a role that may do nothing yet. */
export const NewRole = ({ close }: { readonly close: () => void }) => {
  const t = useText();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [fault, setFault] = useState<string>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await send("POST", "/users-permissions/roles", { body: { name, description } });
      tell(t("edit.created"));
      await queries.invalidateQueries({ queryKey: ["roles"] });
      close();
    } catch (error) {
      setFault(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={close} title={t("role.add")} closeButtonProps={{ "aria-label": t("action.close") }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Fault text={fault} />
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
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.cancel")}
            </Button>
            <Button type="submit">{t("action.save")}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
