import { Box, Center, Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { useText } from "../i18n/index.ts";
import { Brand } from "../shell/brand.tsx";
import { Muted } from "../ui/states.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

const Frame = ({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) => (
  <Center component="main" mih="100vh" p="md">
    <Box w={380}>
      <Center mb="xl">
        <Brand />
      </Center>
      <Paper className="surface" p="xl" radius="lg">
        <Stack gap={4} mb="lg">
          <Title order={1} size="h3">
            {title}
          </Title>
          <Muted>{text}</Muted>
        </Stack>
        {children}
      </Paper>
    </Box>
  </Center>
);

/** The page for visitors who are not signed in; with an invitation link, a form to choose a password. */
export const SignInPage = ({ entered }: { readonly entered: () => Promise<void> }) => {
  const t = useText();
  const [location, navigate] = useLocation();
  const code = location === "/welcome" ? window.location.hash.slice(1) : "";
  if (code !== "")
    return (
      <Frame title={t("session.welcome")} text={t("session.choose")}>
        <NewPasswordForm
          code={code}
          entered={() => {
            navigate("/", { replace: true });
            // Otherwise the new password is asked for.
            void entered().catch(() => undefined);
          }}
        />
      </Frame>
    );
  return (
    <Frame title={t("session.title")} text={t("session.subtitle")}>
      <SignInForm entered={entered} />
    </Frame>
  );
};
