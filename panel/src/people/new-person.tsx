import { PasswordInput, Select, TextInput } from "@mantine/core";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useInputs } from "../ui/inputs.ts";
import { Muted } from "../ui/states.tsx";
import { type Person, type Role, roleChoices } from "./data.ts";

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
  const usual = roles.find(({ type }) => type === model.roles.at(-1)) ?? roles[0];
  const { values, text, choice } = useInputs({ username: "", email: "", password: "", role: String(usual?.id ?? "") });
  const invites = model.can("plugin::panel.user.invite");
  const submit = () => {
    const { password, role, ...named } = values;
    const chosen = invites ? unknownPassword() : password;
    const body = { ...named, password: chosen, role: Number(role), confirmed: true, blocked: false };
    return send<Person>("POST", "/users", { body });
  };

  return (
    <FormDialog
      title={t("people.add")}
      done={t("edit.created")}
      changes="people"
      submit={submit}
      close={close}
      stored={invites ? created : undefined}
    >
      <TextInput label={t("people.name")} required data-autofocus {...text("username")} />
      <TextInput label={t("people.email")} type="email" required {...text("email")} />
      {invites ? null : (
        <PasswordInput
          label={t("session.password")}
          required
          minLength={6}
          autoComplete="new-password"
          {...text("password")}
        />
      )}
      <Select label={t("people.role")} required data={roleChoices(roles)} {...choice("role")} />
      {invites ? <Muted>{t("people.getsLink")}</Muted> : null}
    </FormDialog>
  );
};
