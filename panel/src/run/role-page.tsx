/** One role: what it may do. A role that the configuration declares is shown, and changed there. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { type Configured, useModel } from "../api/description.ts";
import { type Translate, useText } from "../i18n/index.ts";
import type { Role } from "../people/data.ts";
import { BackLink } from "../ui/buttons.tsx";
import { Frame } from "../ui/frame.tsx";
import { Icon } from "../ui/icons.tsx";
import { Loaded, LoadingForm } from "../ui/states.tsx";
import { useTask } from "../ui/task.ts";
import { PermissionChoice } from "./permission-choice.tsx";

/** By owner, controller and action, as the API has it. */
type Tree = Readonly<
  Record<
    string,
    { readonly controllers: Readonly<Record<string, Readonly<Record<string, { readonly enabled: boolean }>>>> }
  >
>;

type Detailed = Omit<Role, "nb_users"> & { readonly permissions: Tree };

const entriesOf = (tree: Tree): readonly (readonly [string, boolean])[] =>
  Object.entries(tree).flatMap(([owner, { controllers }]) =>
    Object.entries(controllers).flatMap(([controller, actions]) =>
      Object.entries(actions).map(([name, { enabled }]) => [`${owner}.${controller}.${name}`, enabled] as const),
    ),
  );

/** The same tree, in which the chosen actions are enabled. */
const treeWith = (tree: Tree, chosen: ReadonlySet<string>): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([owner, { controllers }]) => [
      owner,
      {
        controllers: Object.fromEntries(
          Object.entries(controllers).map(([controller, actions]) => [
            controller,
            Object.fromEntries(
              Object.keys(actions).map((name) => [name, { enabled: chosen.has(`${owner}.${controller}.${name}`) }]),
            ),
          ]),
        ),
      },
    ]),
  );

/** What a permission covers, if not everything. */
const remarkOn = (t: Translate, rules: readonly Configured[], action: string): string | undefined => {
  const own = rules.filter((rule) => rule.action === action);
  if (own.length === 0 || own.some(({ locales, isLimited }) => !locales && !isLimited)) return undefined;
  const words = own.map(({ locales, isLimited }) =>
    [locales?.join(", "), isLimited ? t("role.some") : undefined].filter((word) => word !== undefined).join(", "),
  );
  return t("role.only", { what: words.join("; ") });
};

const RoleForm = ({ role }: { readonly role: Detailed }) => {
  const t = useText();
  const model = useModel();
  const run = useTask(["roles"], ["description"]);
  const entries = entriesOf(role.permissions);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(entries.flatMap(([action, enabled]) => (enabled ? [action] : []))),
  );
  const rules = model.configuredFor(role.type);
  const readOnly = rules !== undefined || !model.can("plugin::users-permissions.role.updateRole");
  const save = () =>
    run(t("edit.saved"), () => {
      const body = { permissions: treeWith(role.permissions, chosen) };
      return send("PUT", `/users-permissions/roles/${role.id}`, { body });
    });
  return (
    <Frame
      title={role.name}
      text={role.description}
      action={readOnly ? undefined : <Button onClick={() => void save()}>{t("action.save")}</Button>}
    >
      {rules ? (
        <Alert color="ink" variant="light" icon={<Icon name="file" />} title={t("role.byConfiguration")}>
          <Text size="sm">{t("role.configured", { role: role.type })}</Text>
        </Alert>
      ) : null}
      {rules === undefined && model.roles[0] === role.type ? (
        <Alert color="orange" variant="light" icon={<Icon name="alert" />}>
          <Text size="sm">{t("role.first")}</Text>
        </Alert>
      ) : null}
      <div className="surface" style={{ padding: "0.5rem 1.25rem 1.25rem" }}>
        <PermissionChoice
          actions={entries.map(([action]) => action)}
          chosen={chosen}
          readOnly={readOnly}
          remark={(action) => remarkOn(t, rules ?? [], action)}
          change={setChosen}
        />
      </div>
    </Frame>
  );
};

export const RolePage = ({ id }: { readonly id: string }) => {
  const t = useText();
  const query = useQuery({
    queryKey: ["roles", id],
    queryFn: async () => (await send<{ role: Detailed }>("GET", `/users-permissions/roles/${id}`)).role,
  });
  return (
    <>
      <Group px={{ base: "md", md: "xl" }} pt="md" maw={1080} mx="auto">
        <BackLink href="/roles">{t("people.roles")}</BackLink>
      </Group>
      <Loaded query={query} loading={<LoadingForm />}>
        {(role) => <RoleForm key={role.id} role={role} />}
      </Loaded>
    </>
  );
};
