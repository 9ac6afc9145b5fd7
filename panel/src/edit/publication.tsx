/** What will change for visitors when the draft is published. */
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { Dialog } from "../ui/dialog.tsx";
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
    <Dialog close={close} size="lg" title={t("publication.title")}>
      <Differences attributes={type.attributes} differences={differences} />
    </Dialog>
  );
};
