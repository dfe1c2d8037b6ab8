import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type Manifest, ROOT } from "./chart.ts";

const run = promisify(execFile);

const STRIMZI = path.join(import.meta.dirname, "strimzi.ts");

/** The types of kubernetes-models, which are made from the schemas of Kubernetes and of the operators. */
const modules: Record<Manifest["kind"], string> = {
  ConfigMap: "kubernetes-models/v1",
  Deployment: "kubernetes-models/apps/v1",
  HTTPRoute: "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1",
  HorizontalPodAutoscaler: "kubernetes-models/autoscaling/v2",
  Ingress: "kubernetes-models/networking.k8s.io/v1",
  Job: "kubernetes-models/batch/v1",
  Kafka: STRIMZI,
  KafkaNodePool: STRIMZI,
  KafkaTopic: STRIMZI,
  KafkaUser: STRIMZI,
  NetworkPolicy: "kubernetes-models/networking.k8s.io/v1",
  PodDisruptionBudget: "kubernetes-models/policy/v1",
  PrometheusRule: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
  ScaledObject: "@kubernetes-models/keda/keda.sh/v1alpha1",
  Service: "kubernetes-models/v1",
  ServiceAccount: "kubernetes-models/v1",
  ServiceMonitor: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
};

/**
 * Checks objects strictly: a field that the schema does not have, a missing one or one of another type is a problem.
 * The compiler does it, because it refuses unknown fields of a literal. That takes seconds and covers the resources of
 * the operators too, where kubectl-validate takes minutes to build and lacks those.
 *
 * @returns the problems, one a line
 */
export async function typeProblems(objects: readonly Manifest[]): Promise<string[]> {
  const unknown = objects.filter(({ kind }) => !(kind in modules));
  if (unknown.length > 0) return unknown.map(({ kind }) => `${kind} has no type`);
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const imports = kinds.map((kind) => `import type { I${kind} } from ${JSON.stringify(modules[kind])};`);
  const literals = objects.map(
    (object, index) =>
      `export const o${index} = ${JSON.stringify(object, null, 1)} satisfies I${object.kind};`,
  );
  // Inside of node_modules, so that the compiler finds the packages.
  const parent = path.join(ROOT, "node_modules/.cache");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, "rendered-"));
  try {
    const file = path.join(folder, "objects.ts");
    await writeFile(file, [...imports, ...literals].join("\n"));
    const options = "--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2024".split(
      " ",
    );
    const resolution = "--module nodenext --types node --singleThreaded".split(" ");
    const tsc = path.join(ROOT, "node_modules/.bin/tsc");
    return await run(tsc, [...options, ...resolution, "--pretty", "false", file]).then(
      () => [],
      (error: { stdout?: string }) => (error.stdout ?? String(error)).trim().split("\n"),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
