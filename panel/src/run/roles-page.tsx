/** The page of roles: what each may do, and where that is decided. */
import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "wouter";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { useRoles } from "../people/data.ts";
import { Icon } from "../ui/icons.tsx";
import { Frame, Rows } from "./frame.tsx";
import { NewRole } from "./new-role.tsx";

export const RolesPage = () => {
  const t = useText();
  const model = useModel();
  const [isOpen, { open, close }] = useDisclosure(false);
  const { data, error, refetch } = useRoles(true);
  return (
    <Frame
      title={t("people.roles")}
      text={t("role.text")}
      action={
        model.can("plugin::users-permissions.role.createRole") ? (
          <Button leftSection={<Icon name="plus" />} onClick={open}>
            {t("role.add")}
          </Button>
        ) : undefined
      }
    >
      <Rows
        items={data}
        error={error}
        retry={() => void refetch()}
        empty={{ icon: "shield", title: t("people.empty") }}
        heads={[t("people.role"), t("people.users"), t("role.decided")]}
        row={(role) => (
          <Table.Tr key={role.id}>
            <Table.Td>
              <Link href={`/roles/${role.id}`} className="row-link">
                {role.name}
              </Link>
              <Text size="xs" c="dimmed">
                {role.description}
              </Text>
            </Table.Td>
            <Table.Td>{role.nb_users}</Table.Td>
            <Table.Td>
              <Group gap={6}>
                <Badge variant="default" tt="none" fw={500}>
                  {t(role.type in model.configured ? "role.byConfiguration" : "role.here")}
                </Badge>
                {model.roles.includes(role.type) ? (
                  <Badge variant="light" tt="none" fw={500}>
                    {t("role.ofPanel")}
                  </Badge>
                ) : null}
              </Group>
            </Table.Td>
          </Table.Tr>
        )}
      />
      {isOpen ? <NewRole close={close} /> : null}
    </Frame>
  );
};
