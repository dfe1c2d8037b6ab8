import { Button, Group, Paper, SegmentedControl } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { MoreButton } from "../../parts/more-button.tsx";
import { RecordSelect } from "../../parts/record-select.tsx";
import { useSelection } from "../../parts/selection.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { AlertBar } from "./alert-bar.tsx";
import { type AlertSearch, type State, states } from "./alert-search.ts";
import { AlertTable } from "./alert-table.tsx";
import { useAlerts } from "./use-alerts.ts";

/** The alerts of a state, the newest first. New ones appear by the feed. */
export function AlertList({ search }: { search: AlertSearch }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const navigate = useNavigate({ from: "/alerts" });
  const { rows, ...found } = useAlerts(search);
  const selection = useSelection(rows);
  const { state = "open", rule, asset } = search;
  const set = (change: AlertSearch): void => {
    selection.clear();
    const { tab: _, ...others } = search;
    void navigate({ search: { ...others, ...change }, replace: true });
  };
  const without = (field: "rule" | "asset"): void => {
    const { [field]: _, ...others } = search;
    void navigate({ search: others, replace: true });
  };
  const isCalm = state === "open" && rule === undefined && asset === undefined;
  return (
    <>
      <Group gap="xs">
        <SegmentedControl
          aria-label={t("alerts.state")}
          size="sm"
          data={states.map((value) => ({ value, label: t(`alerts.${value}`) }))}
          value={state}
          onChange={(value) => set({ state: value as State })}
        />
        {may("alerts") && (
          <RuleSelect
            value={rule ?? null}
            onChange={(id) => (id === null ? without("rule") : set({ rule: id }))}
          />
        )}
        {asset && (
          <Button variant="default" onClick={() => without("asset")}>
            {t("action.clear")}: {rows.find(({ asset_id }) => asset_id === asset)?.asset?.name ?? asset}
          </Button>
        )}
      </Group>
      <Paper withBorder mt="sm" style={{ overflow: "hidden" }}>
        {found.isPending && <Loading />}
        {found.isError && rows.length === 0 && (
          <Failed error={found.error} retry={() => void found.refetch()} />
        )}
        {found.isSuccess && rows.length === 0 && (
          <Empty
            title={t(isCalm ? "alerts.openNoneTitle" : "alerts.noneTitle")}
            text={t(isCalm ? "alerts.openNoneText" : "alerts.noneText")}
          >
            {isCalm && may("alerts") && (
              <Button
                variant="default"
                renderRoot={(props) => <Link {...props} to="/alerts" search={{ tab: "rules" }} />}
              >
                {t("alerts.makeRule")}
              </Button>
            )}
          </Empty>
        )}
        {rows.length > 0 && <AlertTable alerts={rows} selection={may("alerts") ? selection : undefined} />}
      </Paper>
      <MoreButton found={found} />
      {selection.rows.length > 0 && <AlertBar alerts={selection.rows} onDone={selection.clear} />}
    </>
  );
}

type RuleSelectProps = { value: string | null; onChange: (id: string | null) => void };

function RuleSelect(props: RuleSelectProps) {
  const { t } = useTranslation();
  const { rows } = usePages("/alert-rules", "choices", (query, signal) =>
    // A workspace has at most 100 rules.
    api.GET("/alert-rules", { params: { query: { ...query, per_page: 100 } }, signal }),
  );
  return (
    <RecordSelect
      flex="1 1 160px"
      maw={320}
      aria-label={t("alerts.rule")}
      placeholder={t("alerts.rule")}
      choices={rows.map(({ id, name }) => ({ id, name }))}
      {...props}
    />
  );
}
