import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { client, messageOf, RequestError } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { useInputs } from "../ui/inputs.ts";
import { Fault, Muted } from "../ui/states.tsx";

interface Props {
  readonly note?: string;
  entered(): Promise<void>;
}

export const SignInForm = ({ note, entered }: Props) => {
  const t = useText();
  const { values, text } = useInputs({ identifier: "", password: "" });
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    try {
      await client.auth.login(values);
      await entered();
    } catch (error) {
      const isWrong = error instanceof RequestError && error.status === 400;
      setFault(isWrong ? t("session.wrong") : messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {note === undefined ? null : <Muted>{note}</Muted>}
        <Fault text={fault} />
        <TextInput
          label={t("session.identifier")}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          {...text("identifier")}
        />
        <PasswordInput
          label={t("session.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...text("password")}
        />
        <Button type="submit" loading={isBusy} fullWidth mt="xs">
          {t("session.signIn")}
        </Button>
      </Stack>
    </form>
  );
};
