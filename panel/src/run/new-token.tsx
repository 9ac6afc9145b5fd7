import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf, send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { Fault } from "../ui/states.tsx";
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

const DAY = 86_400_000;

const expiryOf = (days: string): string | null =>
  days === "0" ? null : new Date(Date.now() + Number(days) * DAY).toISOString();

interface Props {
  close(): void;
  created(token: Token & { readonly secret: string }): void;
}

export const NewToken = ({ close, created }: Props) => {
  const t = useText();
  const model = useModel();
  const [name, setName] = useState("");
  const [type, setType] = useState<string>("read-only");
  const [days, setDays] = useState("90");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isCustom = type === "custom";

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const permissions = isCustom ? { permissions: [...chosen] } : {};
      const body = { data: { name, type, expiresAt: expiryOf(days), ...permissions } };
      created((await send<{ data: Token & { secret: string } }>("POST", "/api-tokens", { body })).data);
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };

  return (
    <Modal
      opened
      onClose={close}
      size={isCustom ? "xl" : "md"}
      title={t("token.add")}
      closeButtonProps={{ "aria-label": t("action.close") }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Fault text={fault} />
          <TextInput
            label={t("token.name")}
            description={t("token.nameHelp")}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group grow align="flex-start">
            <Select
              label={t("token.type")}
              allowDeselect={false}
              data={TYPES.map((value) => ({ value, label: t(`token.${value}`) }))}
              value={type}
              onChange={(value) => setType(value ?? type)}
            />
            <Select
              label={t("token.lifespan")}
              allowDeselect={false}
              data={LIFESPANS.map((n) => ({
                value: String(n),
                label: n === 0 ? t("token.never") : t("token.days", { n }),
              }))}
              value={days}
              onChange={(value) => setDays(value ?? days)}
            />
          </Group>
          {type === "full-access" ? (
            <Text size="sm" c="dimmed">
              {t("token.fullHelp")}
            </Text>
          ) : null}
          {isCustom ? (
            <PermissionChoice actions={model.actions} chosen={chosen} readOnly={false} change={setChosen} />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" loading={isBusy} disabled={isCustom && chosen.size === 0}>
              {t("token.create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
