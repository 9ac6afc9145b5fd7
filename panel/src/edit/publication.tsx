/** What will change for visitors when the draft is published. */
import { Modal } from "@mantine/core";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { Differences, differencesOf } from "./compare/differences.tsx";
import type { Place, Versions } from "./document.ts";
import { useForm } from "./form.ts";

interface Props {
  readonly place: Place;
  readonly versions: Versions;
  close(): void;
}

export const PublicationDialog = ({ place: { type }, versions: { published }, close }: Props) => {
  const t = useText();
  const model = useModel();
  const form = useForm();
  const differences = differencesOf(model, type.attributes, published?.data ?? {}, form.values);
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t("publication.title")}
      closeButtonProps={{ "aria-label": t("action.close") }}
    >
      <Differences attributes={type.attributes} differences={differences} />
    </Modal>
  );
};
