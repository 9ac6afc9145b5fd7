/** The page of roles: what each may do, and where that is decided. */
import { Badge, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "wouter";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { useRoles } from "../people/data.ts";
import { AddButton, Frame } from "../ui/frame.tsx";
import { Name, Row, Rows } from "../ui/rows.tsx";
import { NewRole } from "./new-role.tsx";

export const RolesPage = () => {
  const t = useText();
  const model = useModel();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Frame
      title={t("people.roles")}
      text={t("role.text")}
      action={<AddButton action="plugin::users-permissions.role.createRole" label={t("role.add")} open={open} />}
    >
      <Rows
        query={useRoles(true)}
        empty={{ icon: "shield", title: t("people.empty") }}
        heads={[t("people.role"), t("people.users"), t("role.decided")]}
        row={({ id, name, description, type, nb_users: users }) => (
          <Row
            key={id}
            cells={[
              <Name name={<Link href={`/roles/${id}`} className="row-link" children={name} />} note={description} />,
              users,
              <Group gap={6}>
                <Badge variant="default">{t(model.configuredFor(type) ? "role.byConfiguration" : "role.here")}</Badge>
                {model.roles.includes(type) ? <Badge>{t("role.ofPanel")}</Badge> : null}
              </Group>,
            ]}
          />
        )}
      />
      {isOpen ? <NewRole close={close} /> : null}
    </Frame>
  );
};
