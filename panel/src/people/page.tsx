/** The page of users: who may log in, and with which role. */
import {
  ActionIcon,
  Avatar,
  Badge,
  Button,
  Group,
  Menu,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { ShownOnce } from "../run/shown-once.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icons.tsx";
import { tell, tellError } from "../ui/notify.ts";
import { Empty, Failed, LoadingRows } from "../ui/states.tsx";
import { type Invitation, invite, type Person, type Role, usePeople, useRoles } from "./data.ts";
import { NewPerson } from "./new-person.tsx";

const useChange = () => {
  const t = useText();
  const queries = useQueryClient();
  return async (method: "PUT" | "DELETE", { id }: Person, body?: object): Promise<void> => {
    try {
      await send(method, `/users/${id}`, { body });
      tell(t(method === "DELETE" ? "edit.deleted" : "edit.saved"));
      await queries.invalidateQueries({ queryKey: ["people"] });
    } catch (error) {
      tellError(t, error);
    }
  };
};

const PersonMenu = ({
  person,
  invitePerson,
}: {
  readonly person: Person;
  readonly invitePerson: (person: Person) => void;
}) => {
  const t = useText();
  const model = useModel();
  const change = useChange();
  const { confirm, dialog } = useConfirm();
  const mayUpdate = model.can("plugin::users-permissions.user.update");
  const mayDelete = model.can("plugin::users-permissions.user.destroy");
  // Users cannot lock themselves out.
  if (person.id === model.user?.id || (!mayUpdate && !mayDelete)) return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`${t("action.more")}: ${person.username}`}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayUpdate ? (
            <Menu.Item onClick={() => void change("PUT", person, { blocked: !person.blocked })}>
              {t(person.blocked ? "people.unblock" : "people.block")}
            </Menu.Item>
          ) : null}
          {model.can("plugin::panel.user.invite") ? (
            <Menu.Item onClick={() => invitePerson(person)}>{t("people.invite")}</Menu.Item>
          ) : null}
          {mayDelete ? (
            <Menu.Item
              color="red"
              onClick={() =>
                confirm(
                  t("confirm.delete", { count: person.username }),
                  t("action.delete"),
                  () => void change("DELETE", person),
                )
              }
            >
              {t("action.delete")}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
};

interface RowProps {
  readonly person: Person;
  readonly roles: readonly Role[];
  invitePerson(person: Person): void;
}

const PersonRow = ({ person, roles, invitePerson }: RowProps) => {
  const t = useText();
  const model = useModel();
  const change = useChange();
  const mayUpdate = model.can("plugin::users-permissions.user.update") && person.id !== model.user?.id;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Avatar size={32} radius="xl" color="ink">
            <Icon name="user" />
          </Avatar>
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={550} truncate>
              {person.username}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {person.email}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td>
        {mayUpdate && roles.length > 0 ? (
          <Select
            size="xs"
            w={150}
            aria-label={`${t("people.role")}: ${person.username}`}
            data={roles
              .filter(({ type }) => type !== "public")
              .map(({ id, name }) => ({ value: String(id), label: name }))}
            value={person.role ? String(person.role.id) : null}
            allowDeselect={false}
            onChange={(role) => void change("PUT", person, { role: Number(role) })}
          />
        ) : (
          <Text size="sm">{person.role?.name ?? "–"}</Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge variant="light" color={person.blocked ? "red" : "teal"} tt="none" fw={550}>
          {t(person.blocked ? "people.blocked" : "people.active")}
        </Badge>
      </Table.Td>
      <Table.Td w={50}>
        <PersonMenu person={person} invitePerson={invitePerson} />
      </Table.Td>
    </Table.Tr>
  );
};

export const PeoplePage = () => {
  const t = useText();
  const model = useModel();
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 250);
  const [isOpen, { open, close }] = useDisclosure(false);
  const { data, error, refetch } = usePeople(settled);
  const [invited, setInvited] = useState<Person & Invitation>();
  const invitePerson = async (person: Person): Promise<void> => {
    try {
      setInvited({ ...person, ...(await invite(person)) });
    } catch (thrown) {
      tellError(t, thrown);
    }
  };
  const { data: roles = [] } = useRoles(model.can("plugin::users-permissions.role.find"));
  return (
    <Stack gap="md" p={{ base: "md", md: "xl" }} maw={960} mx="auto">
      <Group justify="space-between">
        <Title order={1}>{t("people.users")}</Title>
        {model.can("plugin::users-permissions.user.create") && roles.length > 0 ? (
          <Button leftSection={<Icon name="plus" />} onClick={open}>
            {t("people.add")}
          </Button>
        ) : null}
      </Group>
      <TextInput
        type="search"
        aria-label={t("action.search")}
        placeholder={t("action.search")}
        leftSection={<Icon name="search" />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className="surface">
        {error ? <Failed error={error} retry={() => void refetch()} /> : null}
        {!data && !error ? <LoadingRows rows={4} /> : null}
        {data?.length === 0 ? <Empty icon="users" title={t("people.empty")} /> : null}
        {data && data.length > 0 ? (
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Tbody>
              {data.map((person) => (
                <PersonRow
                  key={person.id}
                  person={person}
                  roles={roles}
                  invitePerson={(each) => void invitePerson(each)}
                />
              ))}
            </Table.Tbody>
          </Table>
        ) : null}
      </div>
      {isOpen ? <NewPerson roles={roles} close={close} created={(person) => void invitePerson(person)} /> : null}
      {invited ? (
        <ShownOnce
          title={t("people.invited", { name: invited.username })}
          text={t(invited.isMailed ? "people.mailed" : "people.linkText")}
          value={invited.link}
          close={() => setInvited(undefined)}
        />
      ) : null}
    </Stack>
  );
};
