/** Who else has this document open. */
import { Avatar, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { send } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import type { Place } from "./document.ts";

interface Visitor {
  readonly id: number;
  readonly username: string;
}

/** Milliseconds between two messages that the page is still open. */
const PAUSE = 15_000;

const say = async ({ type, documentId, locale }: Place, leaves = false): Promise<readonly Visitor[]> => {
  const data = { uid: type.uid, documentId, locale, leaves };
  return (await send<{ data: readonly Visitor[] }>("POST", "/panel/presence", { body: { data } })).data;
};

export const Presence = ({ place }: { readonly place: Place }) => {
  const t = useText();
  const { type, documentId, locale } = place;
  const { data: others = [] } = useQuery({
    queryKey: ["presence", type.uid, documentId, locale],
    queryFn: () => say(place),
    refetchInterval: PAUSE,
    gcTime: 0,
    // What is missing is a courtesy: the conflict of two writers is noticed without it.
    retry: false,
  });
  useEffect(() => () => void say(place, true).catch(() => undefined), [place]);
  const names = others.map(({ username }) => username).join(", ");
  return (
    <div role="status">
      {others.length === 0 ? null : (
        <Group gap="xs" wrap="nowrap" mt="xs">
          <Avatar.Group>
            {others.slice(0, 3).map(({ id, username }) => (
              <Avatar key={id} size={28} radius="xl" color="ink" name={username} aria-hidden />
            ))}
          </Avatar.Group>
          <Text size="sm">{t(others.length === 1 ? "presence.one" : "presence.several", { names })}</Text>
        </Group>
      )}
    </div>
  );
};
