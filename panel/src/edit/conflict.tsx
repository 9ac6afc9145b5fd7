/** For a document that two people have changed: shows both versions of each attribute, to choose from. */
import { Button, Group, Loader, Radio, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { labelOf, useModel } from "../api/description.ts";
import { documentKey, readDocument } from "../api/documents.ts";
import { useLanguage, useText } from "../i18n/index.ts";
import { newHref } from "../shell/addresses.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failed, Muted } from "../ui/states.tsx";
import { longTime } from "../ui/time.ts";
import { textOf } from "./compare/text.ts";
import { bodyOf, copied, emptyValues, isRecord, valuesIn } from "./convert.ts";
import type { Place } from "./document.ts";
import { useForm, type Values } from "./form.ts";
import { keepText } from "./kept-text.ts";
import { leaveFreely } from "./leaving.ts";

const summary = (text: string): string => (text === "" ? "–" : text.length > 400 ? `${text.slice(0, 400)}…` : text);

const Version = ({ side, text }: { readonly side: "mine" | "theirs"; readonly text: string }) => {
  const t = useText();
  return (
    <Radio.Card value={side} p="sm">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Radio.Indicator />
        <div>
          <Muted size="xs">{t(`conflict.${side}`)}</Muted>
          <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {summary(text)}
          </Text>
        </div>
      </Group>
    </Radio.Card>
  );
};

const Deleted = ({ cancel, startAnew }: { cancel(): void; startAnew(): void }) => {
  const t = useText();
  return (
    <Stack>
      <Text size="sm">{t("conflict.deleted")}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel}>
          {t("action.cancel")}
        </Button>
        <Button onClick={startAnew}>{t("conflict.anew")}</Button>
      </Group>
    </Stack>
  );
};

export const ConflictDialog = ({ place, close }: { readonly place: Place; close(): void }) => {
  const { t, language } = useLanguage();
  const model = useModel();
  const form = useForm();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { type, documentId = "", locale } = place;
  const { attributes } = type;
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const { data, error, refetch } = useQuery({
    queryKey: ["conflict", type.uid, documentId, locale],
    queryFn: () => readDocument(model, type, { documentId, locale }),
    gcTime: 0,
    staleTime: 0,
  });
  const theirs: Values = data ? valuesIn(model, attributes, data.data) : {};
  const bodies = { mine: bodyOf(model, attributes, form.values), theirs: bodyOf(model, attributes, theirs) };
  const names = form
    .changed()
    .filter((name) => JSON.stringify(bodies.mine[name]) !== JSON.stringify(bodies.theirs[name]));

  const apply = (): void => {
    const mine = Object.fromEntries(
      form.changed().flatMap((name) => (choices[name] === "theirs" ? [] : [[name, form.values[name]]])),
    );
    // The form restarts from what is now stored, plus the user's input that was kept.
    form.reset(theirs, data?.data.updatedAt);
    form.fill(mine);
    queries.setQueryData(documentKey(type, documentId, locale), (before: unknown) =>
      isRecord(before) ? { ...before, draft: data } : before,
    );
    close();
  };

  /** The input goes on as that of a new document. */
  const startAnew = (): void => {
    const values = copied(form.values);
    if (type.kind === "singleType") {
      form.reset(emptyValues(model, attributes));
      if (isRecord(values)) form.fill(values);
      return close();
    }
    if (isRecord(values)) keepText(model, { ...place, documentId: undefined }, values);
    keepText(model, place, {});
    leaveFreely();
    navigate(newHref(type, locale), { replace: true });
  };

  return (
    <Dialog close={close} title={t("conflict.title")} size="lg">
      {data ? (
        <Stack>
          <Text size="sm">{t("conflict.text", { time: longTime(data.data.updatedAt, language) })}</Text>
          {names.map((name) => (
            <Radio.Group
              key={name}
              aria-label={labelOf(attributes, name)}
              value={choices[name] ?? "mine"}
              onChange={(next) => setChoices({ ...choices, [name]: next })}
            >
              <Text fw={550} size="sm" mb={6}>
                {labelOf(attributes, name)}
              </Text>
              <Group grow align="stretch" gap="sm">
                <Version side="mine" text={textOf(model, attributes[name], form.values[name])} />
                <Version side="theirs" text={textOf(model, attributes[name], theirs[name])} />
              </Group>
            </Radio.Group>
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.cancel")}
            </Button>
            <Button onClick={apply}>{t("conflict.apply")}</Button>
          </Group>
        </Stack>
      ) : null}
      {data === null ? <Deleted cancel={close} startAnew={startAnew} /> : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data === undefined && !error ? <Loader /> : null}
    </Dialog>
  );
};
