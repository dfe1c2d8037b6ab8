import type { ClusterMember } from "@asset-register/local";

/** A rule of the chart: of an alert, or of a recorded series. */
type Rule = { alert?: string; record?: string; expr: unknown };
export type RuleGroup = { name: string; rules?: Rule[] };

/** The release as which the chart is rendered. Its rules read only series with these labels. */
const RELEASE = { namespace: "assets", release: "assets", job: "asset-register" };

type Target = { targets: [string]; labels: Record<string, string> };

/**
 * The targets as the ServiceMonitor of the chart makes them: each process is a pod of the release. Pods that are `gone`
 * have no target, as after a scale-down. One that crashes keeps its target.
 */
export function targetsOf(
  members: ReadonlyMap<string, Pick<ClusterMember, "healthUrl">>,
  gone: ReadonlySet<string>,
): Target[] {
  return [...members].flatMap(([pod, { healthUrl }]) =>
    healthUrl === undefined || gone.has(pod)
      ? []
      : [{ targets: [new URL(healthUrl).host], labels: { ...RELEASE, pod } }],
  );
}

/** The settings of Prometheus, with the intervals that the chart and the operator of Prometheus have by default. */
export function prometheusConfig(files: { targets: string; rules: string }): object {
  return {
    global: { scrape_interval: "15s", evaluation_interval: "30s" },
    rule_files: [files.rules],
    // The label `service` is the platform's, as in the ServiceMonitor.
    scrape_configs: [
      { job_name: RELEASE.job, honor_labels: true, file_sd_configs: [{ files: [files.targets] }] },
    ],
  };
}

/** The rules without those of components that are not started, which would report them as missing. */
export function rulesOfStarted(groups: readonly RuleGroup[], started: readonly string[]): RuleGroup[] {
  const isStarted = ({ expr }: Rule): boolean => {
    const component = /service="([^"]+)"/.exec(`${expr}`)?.[1];
    return component === undefined || started.includes(component);
  };
  return groups.map(({ rules = [], ...group }) => ({ ...group, rules: rules.filter(isStarted) }));
}
