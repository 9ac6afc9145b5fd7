import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { useModel } from "../api/description.ts";
import { type Language, LANGUAGE_NAMES, useLanguage } from "../i18n/index.ts";
import { useSession } from "../session/session.tsx";
import { Icon } from "../ui/icons.tsx";

export const AccountMenu = () => {
  const { t, language, choose } = useLanguage();
  const { user } = useModel();
  const { signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const languages = Object.entries(LANGUAGE_NAMES) as [Language, string][];
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={t("account.menu")}>
          <Avatar size={32} radius="xl" color="ink">
            <Icon name="user" />
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user?.username} · {user?.email}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="sun" />}
          onClick={() => setColorScheme("light")}
          disabled={colorScheme === "light"}
        >
          {t("account.light")}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="moon" />}
          onClick={() => setColorScheme("dark")}
          disabled={colorScheme === "dark"}
        >
          {t("account.dark")}
        </Menu.Item>
        <Menu.Divider />
        {languages.map(([code, name]) => (
          <Menu.Item
            key={code}
            lang={code}
            leftSection={<Icon name="globe" />}
            onClick={() => choose(code)}
            disabled={code === language}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => void signOut()}>
          {t("account.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
