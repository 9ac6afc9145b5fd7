/** What `cms doctor` finds: problems of the database, indexes that would help, and facts. Other texts are English. */
import { Badge, Code, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { send } from "../api/client.ts";
import { saidByServer, useLanguage, useText } from "../i18n/index.ts";
import { ActionButton } from "../ui/buttons.tsx";
import { Frame } from "../ui/frame.tsx";
import { Rows } from "../ui/rows.tsx";
import { longTime } from "../ui/time.ts";

const COLORS = { problems: "red", unread: "orange", proposals: "orange", unindexed: "gray", notes: "gray" } as const;

/** The worst first. */
const KINDS = ["problems", "unread", "proposals", "unindexed", "notes"] as const;

interface Finding {
  readonly kind: (typeof KINDS)[number];
  readonly title?: string;
  readonly type?: string;
  readonly attributes?: readonly { readonly name: string }[];
  readonly why?: string;
  readonly sql?: readonly string[];
}

interface Report extends Readonly<Record<Finding["kind"], readonly (Omit<Finding, "kind"> | string)[]>> {
  readonly version: string;
}

const findingsOf = (report: Report): readonly Finding[] =>
  KINDS.flatMap((kind) =>
    report[kind].map((each) => (typeof each === "string" ? { kind, title: each } : { ...each, kind })),
  );

/** What it is about, in one line. */
const titleOf = ({ type, title, attributes = [] }: Finding): string =>
  [type ?? [], saidByServer(title ?? attributes.map(({ name }) => name).join(", "))].flat().join(": ");

const Row = ({ finding }: { readonly finding: Finding }) => (
  <Table.Tr>
    <Table.Td className="finding">
      <Badge color={COLORS[finding.kind]} variant="light">
        {useText()(`findings.${finding.kind}`)}
      </Badge>
      <Text fw={550}>{titleOf(finding)}</Text>
      <Text size="sm">{saidByServer(finding.why ?? "")}</Text>
      {finding.sql?.length ? <Code block>{finding.sql.join("\n")}</Code> : null}
    </Table.Td>
  </Table.Tr>
);

export const FindingsPage = () => {
  const { t, language } = useLanguage();
  const query = useQuery({
    queryKey: ["findings"],
    queryFn: async () => (await send<{ data: Report }>("GET", "/panel/findings")).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, dataUpdatedAt } = query;
  const at = longTime(new Date(dataUpdatedAt).toISOString(), language);
  return (
    <Frame
      title={t("nav.findings")}
      text={data ? t("findings.text", { at, version: data.version }) : t("findings.running")}
      action={
        <ActionButton icon="refresh" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t("findings.again")}
        </ActionButton>
      }
    >
      <Rows
        query={{ ...query, data: data && findingsOf(data) }}
        empty={{ icon: "check", title: t("findings.none") }}
        heads={[t("findings.what")]}
        row={(finding) => <Row key={titleOf(finding)} finding={finding} />}
      />
    </Frame>
  );
};
