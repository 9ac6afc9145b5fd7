import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { client, RequestError } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { Fault } from "../ui/states.tsx";

interface Props {
  readonly note?: string;
  entered(): Promise<void>;
}

export const SignInForm = ({ note, entered }: Props) => {
  const t = useText();
  const [identifier, setIdentifier] = useState("");
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    try {
      await client.auth.login({ identifier, password });
      await entered();
    } catch (error) {
      const isWrong = error instanceof RequestError && error.status === 400;
      setFault(isWrong ? t("session.wrong") : error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {note === undefined ? null : (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        <Fault text={fault} />
        <TextInput
          label={t("session.identifier")}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          value={identifier}
          onChange={(event) => setIdentifier(event.currentTarget.value)}
        />
        <PasswordInput
          label={t("session.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} fullWidth mt="xs">
          {t("session.signIn")}
        </Button>
      </Stack>
    </form>
  );
};
