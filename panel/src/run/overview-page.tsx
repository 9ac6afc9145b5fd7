/** Requests, failures and publications of the last day. */
import { SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { send } from "../api/client.ts";
import { useLanguage } from "../i18n/index.ts";
import { Frame } from "../ui/frame.tsx";
import { Loaded, Muted } from "../ui/states.tsx";
import { longTime } from "../ui/time.ts";

interface Hour {
  readonly at: string;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  readonly publications: number;
}

interface Activity {
  readonly data: readonly Hour[];
  readonly meta: { readonly since: string };
}

const WIDTH = 480;
const HEIGHT = 120;

interface PlotProps {
  readonly title: string;
  readonly hours: readonly Hour[];
  readonly color: string;
  value(hour: Hour): number;
}

/** A bar for each hour. The table below it has the same numbers, for readers of the screen. */
const Plot = ({ title, hours, color, value }: PlotProps) => {
  const { t, language } = useLanguage();
  const highest = Math.max(1, ...hours.map(value));
  const sum = hours.reduce((total, hour) => total + value(hour), 0);
  const step = WIDTH / hours.length;
  const clock = (at: string): string =>
    new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  return (
    <section className="surface plot">
      <Title order={2} size="h5">
        {title}
      </Title>
      <Text fz={28} fw={650} lh={1.3}>
        {sum.toLocaleString(language)}
      </Text>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t("overview.plot", { title, n: sum, most: highest })}
        preserveAspectRatio="none"
      >
        {hours.map((hour, index) => {
          const height = (value(hour) / highest) * (HEIGHT - 4);
          return (
            <rect
              key={hour.at}
              x={index * step + 1}
              y={HEIGHT - Math.max(height, 2)}
              width={step - 2}
              height={Math.max(height, 2)}
              rx={2}
              fill={value(hour) === 0 ? "var(--panel-line)" : color}
            >
              <title>{`${clock(hour.at)}: ${value(hour)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="plot-axis">
        <Muted size="xs">{clock(hours[0]?.at ?? "")}</Muted>
        <Muted size="xs">{t("overview.now")}</Muted>
      </div>
    </section>
  );
};

const PLOTS = [
  ["requests", "ink-5"],
  ["publications", "teal-6"],
  ["failed", "red-6"],
  ["refused", "orange-5"],
] as const;

export const OverviewPage = () => {
  const { t, language } = useLanguage();
  const query = useQuery({
    queryKey: ["activity"],
    queryFn: () => send<Activity>("GET", "/panel/activity"),
    refetchInterval: 60_000,
  });
  const since = query.data?.meta.since;
  return (
    <Frame
      title={t("nav.overview")}
      text={since === undefined ? undefined : t("overview.text", { since: longTime(since, language) })}
    >
      <Loaded query={query}>
        {({ data: hours }) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {PLOTS.map(([name, color]) => (
              <Plot
                key={name}
                title={t(`overview.${name}`)}
                hours={hours}
                color={`var(--mantine-color-${color})`}
                value={(hour) => hour[name]}
              />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
    </Frame>
  );
};
