import { Button, PasswordInput, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { client, messageOf, RequestError } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { useInputs } from "../ui/inputs.ts";
import { Fault } from "../ui/states.tsx";

interface Props {
  readonly code: string;
  entered(): void;
}

/** Sets a password with the code from a link. */
export const NewPasswordForm = ({ code, entered }: Props) => {
  const t = useText();
  const { values, text } = useInputs({ password: "", passwordConfirmation: "" });
  const { password, passwordConfirmation } = values;
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isDifferent = passwordConfirmation !== "" && passwordConfirmation !== password;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (password !== passwordConfirmation) return;
    setBusy(true);
    setFault(undefined);
    try {
      await client.auth.resetPassword({ code, ...values });
      entered();
    } catch (error) {
      const isOld = error instanceof RequestError && error.message === "Incorrect code provided";
      setFault(isOld ? t("session.badLink") : messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Fault text={fault} />
        <PasswordInput
          label={t("session.password")}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={6}
          {...text("password")}
        />
        <PasswordInput
          label={t("session.again")}
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={isDifferent ? t("session.different") : undefined}
          {...text("passwordConfirmation")}
        />
        <Button type="submit" loading={isBusy} disabled={isDifferent} fullWidth mt="xs">
          {t("session.set")}
        </Button>
      </Stack>
    </form>
  );
};
