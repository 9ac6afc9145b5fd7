import type { ContentType } from "../api/description.ts";

export const EditPage = ({ type }: { readonly type: ContentType; readonly documentId?: string }) => <p>{type.uid}</p>;
