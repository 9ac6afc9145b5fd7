import { Group, Text } from "@mantine/core";
import { settings } from "../settings.ts";

/** The name of the site, with its logo if it has one. */
export const Brand = () => (
  <Group gap="xs" wrap="nowrap">
    {settings.logo === undefined ? (
      <svg width={26} height={26} viewBox="0 0 26 26" aria-hidden="true">
        <rect width={26} height={26} rx={7} fill="var(--mantine-primary-color-filled)" />
        <path d="M7 9h12M7 13h12M7 17h7" stroke="#fff" strokeWidth={2} strokeLinecap="round" />
      </svg>
    ) : (
      <img src={settings.logo} alt="" height={26} />
    )}
    <Text fw={650} size="md" truncate>
      {settings.title}
    </Text>
  </Group>
);
