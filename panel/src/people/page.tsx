/** The page of users: who may log in, and with which role. */
import { Avatar, Badge, Group, Menu, Select, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { AddButton, Frame } from "../ui/frame.tsx";
import { Icon } from "../ui/icons.tsx";
import { DeleteItem, Name, Row, RowMenu, Rows } from "../ui/rows.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { useTask } from "../ui/task.ts";
import { type Invitation, invite, MOST, type Person, type Role, roleChoices, usePeople, useRoles } from "./data.ts";
import { NewPerson } from "./new-person.tsx";

interface RowProps {
  readonly person: Person;
  readonly roles: readonly Role[];
  invitePerson(person: Person): void;
}

const PersonMenu = ({ person, invitePerson }: Omit<RowProps, "roles">) => {
  const t = useText();
  const model = useModel();
  const run = useTask(["people"]);
  const { confirmDeletion, dialog } = useConfirm();
  const { id, username, blocked } = person;
  const mayUpdate = model.can("plugin::users-permissions.user.update");
  const mayDelete = model.can("plugin::users-permissions.user.destroy");
  const mayInvite = model.can("plugin::panel.user.invite");
  // Users cannot lock themselves out.
  if (id === model.user?.id || (!mayUpdate && !mayDelete && !mayInvite)) return null;
  const block = () =>
    void run(t("edit.saved"), () => send("PUT", `/users/${id}`, { body: { blocked: blocked !== true } }));
  const remove = () => confirmDeletion(username, () => run(t("edit.deleted"), () => send("DELETE", `/users/${id}`)));
  return (
    <>
      <RowMenu name={username}>
        {mayUpdate ? <Menu.Item onClick={block}>{t(blocked ? "people.unblock" : "people.block")}</Menu.Item> : null}
        {mayInvite ? <Menu.Item onClick={() => invitePerson(person)}>{t("people.invite")}</Menu.Item> : null}
        {mayDelete ? <DeleteItem onClick={remove} /> : null}
      </RowMenu>
      {dialog}
    </>
  );
};

const PersonRow = ({ person, roles, invitePerson }: RowProps) => {
  const t = useText();
  const model = useModel();
  const run = useTask(["people"]);
  const { id, username, email, role, blocked } = person;
  const mayUpdate = model.can("plugin::users-permissions.user.update") && id !== model.user?.id;
  return (
    <Row
      cells={[
        <Group gap="sm" wrap="nowrap">
          <Avatar size={32} radius="xl" color="ink">
            <Icon name="user" />
          </Avatar>
          <Name name={username} note={email} />
        </Group>,
        mayUpdate && roles.length > 0 ? (
          <Select
            size="xs"
            w={150}
            aria-label={`${t("people.role")}: ${username}`}
            data={roleChoices(roles)}
            value={role ? String(role.id) : null}
            allowDeselect={false}
            onChange={(next) =>
              void run(t("edit.saved"), () => send("PUT", `/users/${id}`, { body: { role: Number(next) } }))
            }
          />
        ) : (
          <Text size="sm">{role?.name ?? "–"}</Text>
        ),
        <Badge color={blocked ? "red" : "teal"}>{t(blocked ? "people.blocked" : "people.active")}</Badge>,
        <PersonMenu person={person} invitePerson={invitePerson} />,
      ]}
    />
  );
};

export const PeoplePage = () => {
  const t = useText();
  const run = useTask();
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 250);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [invited, setInvited] = useState<Person & Invitation>();
  const { data: roles = [] } = useRoles(useModel().can("plugin::users-permissions.role.find"));
  const query = usePeople(settled);
  const invitePerson = (person: Person): void =>
    void run(undefined, async () => setInvited({ ...person, ...(await invite(person)) }));
  const add = <AddButton action="plugin::users-permissions.user.create" label={t("people.add")} open={open} />;
  return (
    <Frame
      title={t("people.users")}
      text={query.data?.length === MOST ? t("people.most", { n: MOST }) : undefined}
      action={roles.length > 0 ? add : undefined}
    >
      <div className="controls">
        <SearchInput value={search} search={setSearch} />
      </div>
      <Rows
        query={query}
        empty={{ icon: "users", title: t("people.empty") }}
        heads={[t("people.name"), t("people.role"), t("list.state"), ""]}
        row={(person) => <PersonRow key={person.id} person={person} roles={roles} invitePerson={invitePerson} />}
      />
      {isOpen ? <NewPerson roles={roles} close={close} created={invitePerson} /> : null}
      {invited ? (
        <ShownOnce
          title={t("people.invited", { name: invited.username })}
          text={t(invited.isMailed ? "people.mailed" : "people.linkText")}
          value={invited.link}
          close={() => setInvited(undefined)}
        />
      ) : null}
    </Frame>
  );
};
