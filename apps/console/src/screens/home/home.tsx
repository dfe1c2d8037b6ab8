import { Button, Card, Grid, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { Page } from "../../parts/page.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { LastMovements } from "./last-movements.tsx";
import { MovementsChart } from "./movements-chart.tsx";
import { useWaitingCount } from "./use-waiting-count.ts";
import { ValueByCategory } from "./value-by-category.tsx";
import { WaitingCard } from "./waiting-card.tsx";
import { linkedParts, otherParts } from "./waiting-parts.ts";

/** Things that wait for the user, and figures of the register, in one request. */
export function Home() {
  const { t } = useTranslation();
  const { session, may } = useSession();
  const assets = queries.useQuery("get", "/assets", { params: { query: { per_page: 1 } } });
  const name = session?.user.name.split(" ", 1)[0] ?? "";
  return (
    <Page title={t("home.hello", { name })}>
      {assets.data?.total === 0 ? (
        <Card withBorder>
          <Empty title={t("home.firstTitle")} text={t("home.firstText")}>
            <Button component={Link} to="/assets">
              {t("home.firstAction")}
            </Button>
            {may("admin") && (
              <Button component={Link} to="/import" variant="outline">
                {t("assets.import")}
              </Button>
            )}
          </Empty>
        </Card>
      ) : (
        <Stack gap="lg">
          <Waiting />
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <ValueByCategory />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack>
                <MovementsChart />
                <LastMovements />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Page>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const countOf = useWaitingCount();
  const found = queries.useQuery("get", "/home", {});
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const waiting = [...linkedParts, ...otherParts].filter((part) => found.data[part] !== undefined);
  const others = otherParts.flatMap((part) => {
    const value = found.data[part];
    if (value === undefined || value?.count === 0) return [];
    return t(`home.${part}`, { count: value?.count ?? 0, shown: countOf(value) });
  });
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {t("home.waiting")}
      </Title>
      {waiting.every((part) => found.data[part]?.count === 0) && (
        <Text c="dimmed" size="sm" mb="xs">
          {t("home.nothing")}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
        {linkedParts.map((part) => {
          const value = found.data[part];
          return value !== undefined && <WaitingCard key={part} part={part} value={value} />;
        })}
      </SimpleGrid>
      {others.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t("home.also", { list: others.join(" · ") })}
        </Text>
      )}
    </section>
  );
}
