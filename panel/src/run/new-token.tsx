import { Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useInputs } from "../ui/inputs.ts";
import { Muted } from "../ui/states.tsx";
import { inDays } from "../ui/time.ts";
import { PermissionChoice } from "./permission-choice.tsx";

const TYPES = ["read-only", "full-access", "custom"] as const;

export interface Token {
  readonly id: number;
  readonly name: string;
  readonly type: (typeof TYPES)[number];
  readonly permissions: readonly string[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** Days until a token expires; 0 for never. */
const LIFESPANS = [7, 30, 90, 365, 0] as const;

interface Props {
  close(): void;
  created(token: Token & { readonly secret: string }): void;
}

export const NewToken = ({ close, created }: Props) => {
  const t = useText();
  const model = useModel();
  const { values, text, choice } = useInputs({ name: "", type: "read-only", days: "90" });
  const { name, type, days } = values;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isCustom = type === "custom";
  const submit = async () => {
    const permissions = isCustom ? { permissions: [...chosen] } : {};
    const body = { data: { name, type, expiresAt: days === "0" ? null : inDays(Number(days)), ...permissions } };
    return (await send<{ data: Token & { secret: string } }>("POST", "/api-tokens", { body })).data;
  };
  return (
    <FormDialog
      title={t("token.add")}
      action={t("token.create")}
      size={isCustom ? "xl" : "md"}
      isComplete={!isCustom || chosen.size > 0}
      changes="tokens"
      submit={submit}
      close={close}
      stored={created}
    >
      <TextInput label={t("token.name")} description={t("token.nameHelp")} required data-autofocus {...text("name")} />
      <Group grow align="flex-start">
        <Select
          label={t("token.type")}
          data={TYPES.map((value) => ({ value, label: t(`token.${value}`) }))}
          {...choice("type")}
        />
        <Select
          label={t("token.lifespan")}
          data={LIFESPANS.map((n) => ({
            value: String(n),
            label: n === 0 ? t("token.never") : t("token.days", { n }),
          }))}
          {...choice("days")}
        />
      </Group>
      {type === "full-access" ? <Muted>{t("token.fullHelp")}</Muted> : null}
      {isCustom ? (
        <PermissionChoice actions={model.actions} chosen={chosen} readOnly={false} change={setChosen} />
      ) : null}
    </FormDialog>
  );
};
