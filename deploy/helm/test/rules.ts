import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parseDocument, stringify, visit } from "yaml";
import { CHART, type Rendered } from "./chart.ts";
import { dashboardQueries, definedMetrics, metricsOf, selectorsOf } from "./promql.ts";

const run = promisify(execFile);

type Rule = {
  alert: string;
  record: string;
  expr: string;
  severity: string;
  labels: Record<string, string> | undefined;
};

function rulesOf(rendered: Rendered): Rule[] {
  const groups = rendered.of("PrometheusRule").flatMap(({ spec }) => spec.groups ?? []);
  return groups.flatMap(({ rules = [] }) =>
    rules.map(({ alert = "", record = "", expr, labels }) => ({
      ...{ alert, record, expr: String(expr), severity: labels?.severity ?? "", labels },
    })),
  );
}

const runbookOf = (alert: string): string => `${alert.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.md`;

/** Tests of rules write RELEASE, as the rules do. In the document: `0x40` of promtool would be a number of plain YAML. */
function ofRelease(tests: string): string {
  const document = parseDocument(tests);
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string")
        node.value = node.value.replaceAll("RELEASE", 'namespace="assets",release="assets"');
    },
  });
  return String(document);
}

/** The tests of rules and dashboards. `rendered` is a profile with rules. */
export function describeRules(promtool: string | undefined, rendered: () => Rendered): void {
  describe("rules and dashboards", () => {
    test("each metric of a rule or a dashboard is defined by the code or recorded by a rule", () => {
      const rules = rulesOf(rendered());
      expect(rules.length).toBeGreaterThan(50);
      const known = new Set([...definedMetrics(), ...rules.map(({ record }) => record)]);
      const queries = [
        ...rules.map(({ alert, record, expr }) => ({ panel: alert || record, query: expr })),
        ...dashboardQueries(),
      ];
      const unknown = queries.flatMap(({ panel, query }) =>
        metricsOf(query.replaceAll("$namespace", "assets"))
          .filter((name) => !known.has(name))
          .map((name) => `${panel}: ${name}`),
      );
      expect(unknown).toEqual([]);
    });

    test("each rule reads and records only its own release, so that two releases do not count together", () => {
      for (const { alert, record, expr, labels } of rulesOf(rendered())) {
        expect(labels, alert || record).toMatchObject({ namespace: "assets", release: "assets" });
        const selectors = selectorsOf(expr);
        expect(selectors.length, expr).toBeGreaterThan(0);
        for (const selector of selectors)
          expect(selector).toMatch(
            /\{namespace="assets",(release="assets"|horizontalpodautoscaler=~"\(keda-hpa-\)\?assets-asset-register-)/,
          );
      }
    });

    test("each query of a dashboard has the namespace and the release", () => {
      for (const { panel, query } of dashboardQueries())
        for (const selector of selectorsOf(query))
          expect(selector, panel).toContain('{namespace="$namespace",release=~"$release"');
    });

    test("each alert has a runbook, a severity, and each runbook of an alert its alert", () => {
      const alerts = rulesOf(rendered()).filter(({ alert }) => alert !== "");
      const pages = new Set(alerts.map(({ alert }) => runbookOf(alert)));
      for (const page of pages) expect(existsSync(path.join(CHART, "runbooks", page)), page).toBe(true);
      for (const { alert, severity } of alerts) expect(["page", "ticket"], alert).toContain(severity);
      const others = readdirSync(path.join(CHART, "runbooks")).filter((file) => !pages.has(file));
      expect(others.toSorted()).toEqual(["README.md", "keys.md", "restore.md"]);
    });

    test("each alert has the address of its runbook", () => {
      const groups = rendered()
        .of("PrometheusRule")
        .flatMap(({ spec }) => spec.groups ?? []);
      for (const { alert, annotations } of groups.flatMap(({ rules = [] }) => rules))
        if (alert !== undefined)
          expect(annotations?.runbook_url).toBe(
            `https://runbooks.example.com/asset-register/${runbookOf(alert)}`,
          );
    });

    test.runIf(promtool)(
      "promtool accepts the rules, and they fire on made-up series as they should",
      async () => {
        const folder = await mkdtemp(path.join(tmpdir(), "rules-"));
        try {
          const groups = rendered()
            .of("PrometheusRule")
            .flatMap(({ spec }) => spec.groups ?? []);
          await writeFile(path.join(folder, "rules.yaml"), stringify({ groups }));
          const tests = await readFile(path.join(import.meta.dirname, "rules-tests.yaml"), "utf8");
          await writeFile(path.join(folder, "tests.yaml"), ofRelease(tests));
          await run(promtool ?? "", ["check", "rules", "rules.yaml"], { cwd: folder });
          await run(promtool ?? "", ["test", "rules", "tests.yaml"], { cwd: folder });
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    );
  });
}
