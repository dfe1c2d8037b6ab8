import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { z } from "zod";
import { CHART, ROOT } from "./chart.ts";

/** The names of the metrics in a query. */
export const metricsOf = (query: string): string[] => textsOf(query, "Identifier", "VectorSelector");

/** The selectors of a query: each with its metric and its conditions on labels. */
export const selectorsOf = (query: string): string[] => textsOf(query, "VectorSelector");

/** The parts of a query of one kind, of any parent or of one kind. */
function textsOf(query: string, kind: string, parent?: string): string[] {
  const texts: string[] = [];
  parser.parse(query).iterate({
    enter({ name, from, to, node }) {
      if (name === "⚠") throw new Error(`This is not PromQL: ${query}`);
      if (name === kind && (parent === undefined || node.parent?.name === parent))
        texts.push(query.slice(from, to));
    },
  });
  return texts;
}

const targetSchema = z.object({ expr: z.string(), datasource: z.object({ type: z.string() }) });
const dashboardSchema = z.object({
  uid: z.string(),
  panels: z.array(z.object({ title: z.string(), targets: z.array(targetSchema).default([]) })),
});

/** The queries for Prometheus of all dashboards, with the variables of Grafana filled in. */
export function dashboardQueries(): { panel: string; query: string }[] {
  const folder = path.join(CHART, "files/dashboards");
  return readdirSync(folder).flatMap((file) => {
    const content: unknown = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
    return dashboardSchema
      .parse(content)
      .panels.flatMap(({ title, targets }) =>
        targets
          .filter(({ datasource }) => datasource.type === "prometheus")
          .map(({ expr }) => ({ panel: `${file}: ${title}`, query: expr })),
      );
  });
}

/** Metrics of others: of prom-client, of Prometheus itself, and of kube-state-metrics. */
const FOREIGN = [
  "nodejs_eventloop_lag_p99_seconds",
  "process_resident_memory_bytes",
  "process_start_time_seconds",
  "up",
  "kube_horizontalpodautoscaler_spec_max_replicas",
  "kube_horizontalpodautoscaler_spec_min_replicas",
  "kube_horizontalpodautoscaler_status_current_replicas",
];

/** The metrics that the code defines, with the series of histograms, and those of others. */
export function definedMetrics(): Set<string> {
  const own = ["packages", "services", "gateway"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /(^|\/)src\/.*(?<!\.test)\.ts$/.test(file) && !file.includes("node_modules"))
      .flatMap((file) => metricNamesIn(readFileSync(path.join(ROOT, folder, file), "utf8"))),
  );
  const series = own.flatMap((name) => ["", "_bucket", "_count", "_sum"].map((suffix) => `${name}${suffix}`));
  return new Set([...series, ...FOREIGN]);
}

/** A metric's name is written out where it is defined, or given to a function that defines it. */
const metricNamesIn = (source: string): string[] =>
  [...source.matchAll(/"([a-z][a-z0-9]*(?:_[a-z0-9]+)+)"/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => new RegExp(`name: "${name}"|\\(metrics, "${name}"`).test(source));
