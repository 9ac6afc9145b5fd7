import { PasswordInput, Select, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { tell } from "../ui/notify.ts";
import type { Person, Role } from "./data.ts";

interface Props {
  readonly roles: readonly Role[];
  close(): void;
  created(person: Person): void;
}

/** A password that nobody knows, for a user who sets one with a link. */
const unknownPassword = (): string =>
  [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Creates a user, who sets a password with a link; if the caller may not invite, with a password to pass on. */
export const NewPerson = ({ roles, close, created }: Props) => {
  const t = useText();
  const model = useModel();
  const queries = useQueryClient();
  const usual = roles.find(({ type }) => type === model.roles.at(-1)) ?? roles[0];
  const [username, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState(usual ? String(usual.id) : null);
  const invites = model.can("plugin::panel.user.invite");
  const submit = async (): Promise<void> => {
    const chosen = invites ? unknownPassword() : password;
    const body = { username, email, password: chosen, role: Number(role), confirmed: true, blocked: false };
    const person = await send<Person>("POST", "/users", { body });
    tell(t("edit.created"));
    await queries.invalidateQueries({ queryKey: ["people"] });
    close();
    if (invites) created(person);
  };

  return (
    <FormDialog title={t("people.add")} submit={submit} close={close}>
      <TextInput
        label={t("people.name")}
        required
        data-autofocus
        value={username}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t("people.email")}
        type="email"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {invites ? null : (
        <PasswordInput
          label={t("session.password")}
          required
          minLength={6}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <Select
        label={t("people.role")}
        required
        allowDeselect={false}
        data={roles.filter(({ type }) => type !== "public").map(({ id, name }) => ({ value: String(id), label: name }))}
        value={role}
        onChange={setRole}
      />
      {invites ? (
        <Text size="sm" c="dimmed">
          {t("people.getsLink")}
        </Text>
      ) : null}
    </FormDialog>
  );
};
