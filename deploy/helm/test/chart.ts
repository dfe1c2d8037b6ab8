import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { IHTTPRoute } from "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1";
import type { IScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import type {
  IPrometheusRule,
  IServiceMonitor,
} from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IHorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import type { IJob } from "kubernetes-models/batch/v1";
import type { IIngress, INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type { IConfigMap, IService, IServiceAccount } from "kubernetes-models/v1";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import type { IKafka, IKafkaNodePool, IKafkaTopic, IKafkaUser } from "./strimzi.ts";

const run = promisify(execFile);

export const CHART = path.join(import.meta.dirname, "..");
export const ROOT = path.join(CHART, "../..");
export const PROFILES = ["small", "production", "gitops"] as const;
/** helm assumes an old version if it is built without one. */
export const KUBERNETES = ["--kube-version", "1.33.0"];
export type Profile = (typeof PROFILES)[number];

/** All kinds that the chart renders. object-types.ts compares what is rendered with these types. */
export type Manifest =
  | IConfigMap
  | IDeployment
  | IHTTPRoute
  | IHorizontalPodAutoscaler
  | IIngress
  | IJob
  | IKafka
  | IKafkaNodePool
  | IKafkaTopic
  | IKafkaUser
  | INetworkPolicy
  | IPodDisruptionBudget
  | IPrometheusRule
  | IScaledObject
  | IService
  | IServiceAccount
  | IServiceMonitor;

export type Rendered = {
  all: Manifest[];
  of<K extends Manifest["kind"]>(kind: K): Extract<Manifest, { kind: K }>[];
};

/**
 * Renders the chart with a profile, and with files of values (paths in the chart) that override it.
 * @throws Error with the output of helm, if it refuses the values
 */
export async function render(
  helm: string,
  profile: Profile,
  sets: readonly string[] = [],
  files: readonly string[] = [],
): Promise<Rendered> {
  const values = [`ci/${profile}-values.yaml`, ...files].map((file) => path.join(CHART, file));
  const args = ["template", "assets", CHART, "--namespace", "assets", ...KUBERNETES];
  const given = [...values.flatMap((file) => ["--values", file]), ...sets.flatMap((set) => ["--set", set])];
  const { stdout } = await run(helm, [...args, ...given], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = parseAllDocuments(stdout).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    const content: unknown = document.toJS();
    // The check of the types proves this for every profile.
    return content === null ? [] : [content as Manifest];
  });
  return {
    all,
    of: <K extends Manifest["kind"]>(kind: K) =>
      all.filter((manifest): manifest is Extract<Manifest, { kind: K }> => manifest.kind === kind),
  };
}

const componentsSchema = z.record(
  z.string(),
  z.strictObject({ roles: z.array(z.string()), calls: z.array(z.string()), uses: z.array(z.string()) }),
);

/** files/components.yaml. */
export function readComponents(): z.output<typeof componentsSchema> {
  return componentsSchema.parse(parse(readFileSync(path.join(CHART, "files/components.yaml"), "utf8")));
}
