import { useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { ActionButton } from "../../ui/buttons.tsx";
import type { Values } from "../form.ts";
import { useCopiedEntry } from "./copied-entry.ts";

interface Props {
  /** The uids of the components that may be added. */
  readonly components: readonly string[];
  readonly inZone: boolean;
  add(entry: Values): void;
}

/** Adds the copied entry, if it fits. */
export const PasteButton = ({ components, inZone, add }: Props) => {
  const t = useText();
  const model = useModel();
  const { entry, paste } = useCopiedEntry();
  if (!entry || !components.includes(entry.component)) return null;
  return (
    <ActionButton icon="copy" size="xs" variant="subtle" onClick={() => add(paste(inZone))}>
      {t("field.paste", { name: model.component(entry.component)?.displayName ?? "" })}
    </ActionButton>
  );
};
