/** Copies one entry of a component or zone, to be added to another list, also in another document or tab. */
import { useLocalStorage } from "@mantine/hooks";
import { useModel } from "../../api/description.ts";
import { copied, isRecord, KEY, newKey, withoutPasswords } from "../convert.ts";
import type { Values } from "../form.ts";

interface CopiedEntry {
  /** The uid of its component. */
  readonly component: string;
  readonly values: Values;
}

/** The key under which the browser stores it. */
export const COPIED_ENTRY = "panel:entry";

const isEntry = (value: unknown): value is CopiedEntry =>
  isRecord(value) && typeof value["component"] === "string" && isRecord(value["values"]);

const deserialize = (text: string | undefined): CopiedEntry | null => {
  const value: unknown = JSON.parse(text ?? "null");
  return isEntry(value) ? value : null;
};

/** The copied entry; null if there is none. */
export const useCopiedEntry = () => {
  const model = useModel();
  const [entry, store] = useLocalStorage<CopiedEntry | null>({
    key: COPIED_ENTRY,
    defaultValue: null,
    deserialize,
  });
  return {
    entry,
    copy: (component: string, values: unknown) => {
      const plain = copied(values);
      const { attributes = {} } = model.component(component) ?? {};
      if (isRecord(plain)) store({ component, values: withoutPasswords(model, attributes, plain) });
    },
    /** The values of a new entry. */
    paste: (inZone: boolean): Values => {
      const { __component: _component, ...values } = entry?.values ?? {};
      const fresh = copied({ ...values, [KEY]: newKey() });
      return { ...(inZone ? { __component: entry?.component } : {}), ...(isRecord(fresh) ? fresh : {}) };
    },
  };
};
