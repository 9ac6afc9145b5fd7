/** The layout of pages with a title. */
import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useModel } from "../api/description.ts";
import { ActionButton } from "./buttons.tsx";
import { Muted } from "./states.tsx";

interface FrameProps {
  readonly title: string;
  readonly text?: string;
  /** Beside the title. */
  readonly action?: ReactNode;
  readonly width?: number;
  readonly children: ReactNode;
}

export const Frame = ({ title, text, action, width = 1080, children }: FrameProps) => (
  <Stack gap="md" p={{ base: "md", md: "xl" }} maw={width} mx="auto">
    <div className="page-head">
      <div>
        <Title order={1}>{title}</Title>
        {text === undefined ? null : (
          <Muted mt={4} maw={640} mih="1.4em" aria-live="polite">
            {text}
          </Muted>
        )}
      </div>
      {action}
    </div>
    {children}
  </Stack>
);

interface AddButtonProps {
  /** The action of the server that it needs. */
  readonly action: string;
  readonly label: string;
  open(): void;
}

/** The button that opens the form of something new, for callers who may create it. */
export const AddButton = ({ action, label, open }: AddButtonProps) =>
  useModel().can(action) ? (
    <ActionButton icon="plus" onClick={open}>
      {label}
    </ActionButton>
  ) : null;
