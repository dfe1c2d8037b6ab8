import type { IPodTemplateSpec } from "kubernetes-models/v1";
import type { Rendered } from "./chart.ts";

type Labels = Record<string, string>;
type Workload = { name: string; kind: string; template: IPodTemplateSpec };

export function workloadsOf(rendered: Rendered): Workload[] {
  return [...rendered.of("Deployment"), ...rendered.of("Job")].map(({ kind, metadata, spec }) => ({
    kind,
    name: metadata?.name ?? "",
    template: spec?.template ?? {},
  }));
}

type Selector = {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};

/** Whether a policy covers pods with these labels. The chart uses only the operator In. */
function covers({ matchLabels, matchExpressions = [] }: Selector, labels: Labels | undefined): boolean {
  return (
    selects(matchLabels, labels) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== "In") throw new Error(`the operator ${operator} is not known here`);
      return values?.includes(labels?.[key] ?? "");
    })
  );
}

export function selects(selector: Labels | undefined, labels: Labels | undefined): boolean {
  return Object.entries(selector ?? {}).every(([key, value]) => labels?.[key] === value);
}

/** Pods run without privileges, with bounded memory and from a fixed image. */
export function podProblems({ name, kind, template }: Workload): string[] {
  const { spec } = template;
  const pod = spec?.securityContext;
  const problems = [
    spec?.automountServiceAccountToken === false || "has a token of the cluster",
    (spec?.hostNetwork !== true && spec?.hostPID !== true && spec?.hostIPC !== true) || "uses the host",
    (pod?.runAsNonRoot === true && (pod.runAsUser ?? 0) > 0) || "may run as root",
    pod?.seccompProfile?.type === "RuntimeDefault" || "has no seccomp profile",
    spec?.volumes?.every(({ hostPath }) => hostPath === undefined) || "mounts a path of the host",
    kind !== "Deployment" || (spec?.topologySpreadConstraints ?? []).length > 0 || "is not spread",
  ];
  for (const container of spec?.containers ?? []) {
    const { securityContext: own, resources, image = "" } = container;
    problems.push(
      own?.allowPrivilegeEscalation === false || "may escalate its privileges",
      own?.readOnlyRootFilesystem === true || "may write to its image",
      own?.capabilities?.drop?.includes("ALL") || "has capabilities",
      own?.privileged !== true || "is privileged",
      resources?.requests?.cpu !== undefined || "requests no CPU",
      resources?.requests?.memory !== undefined || "requests no memory",
      resources?.limits?.memory !== undefined || "has no limit of memory",
      // Node's heap is half of the limit.
      mebibytes(resources?.limits?.memory) >= 2 * mebibytes(resources?.requests?.memory) ||
        "runs out of heap before it has used the memory that it requests",
      /@sha256:[0-9a-f]{64}$|:(?!latest$)[^/:]+$/.test(image) || `has no fixed image: ${image}`,
      kind !== "Deployment" ||
        [container.readinessProbe, container.livenessProbe, container.startupProbe].every(Boolean) ||
        "lacks a probe",
    );
  }
  return problems.filter((problem) => typeof problem === "string").map((problem) => `${name} ${problem}`);
}

/** Of a quantity in Mi or Gi. NaN for anything else, which every comparison refuses. */
function mebibytes(quantity: string | number | undefined): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(String(quantity)) ?? [];
  return Number(amount) * (unit === "Gi" ? 1024 : 1);
}

/** Each pod may only have the flows that a policy names, and only the sender and single sign-on may reach the internet. */
export function networkProblems(rendered: Rendered): string[] {
  const policies = rendered.of("NetworkPolicy");
  const problems = workloadsOf(rendered).flatMap(({ name, kind, template }) => {
    const covering = policies.filter(({ spec }) =>
      covers(spec?.podSelector ?? {}, template.metadata?.labels),
    );
    const labels: Labels = template.metadata?.labels ?? {};
    const { "asset-register/unit": unit = "", "app.kubernetes.io/component": component } = labels;
    const mayReachInternet =
      unit === "sender" || (component === "identity" && unit !== "relay" && kind === "Deployment");
    const types = new Set<string>(covering.flatMap(({ spec }) => spec?.policyTypes ?? []));
    return [
      ...["Ingress", "Egress"].filter((type) => !types.has(type)).map((type) => `${name} has any ${type}`),
      ...(covering.some(reachesInternet) && !mayReachInternet ? [`${name} reaches the internet`] : []),
    ];
  });
  for (const { metadata, spec } of policies) {
    for (const rule of [...(spec?.egress ?? []), ...(spec?.ingress ?? [])]) {
      const peers = "to" in rule ? rule.to : "from" in rule ? rule.from : undefined;
      if (!peers || peers.length === 0) problems.push(`${metadata?.name} has a rule for all peers`);
      if (!rule.ports || rule.ports.length === 0) problems.push(`${metadata?.name} has a rule for all ports`);
    }
  }
  return problems;
}

function reachesInternet({ spec }: ReturnType<Rendered["of"]>[number] & { kind: "NetworkPolicy" }): boolean {
  return (spec?.egress ?? []).some(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr.endsWith("/0")));
}

/** Names and selectors of one object match those of another. */
export function referenceProblems(rendered: Rendered): string[] {
  const deployments = rendered.of("Deployment");
  const named = (name: string | undefined) => deployments.find(({ metadata }) => metadata?.name === name);
  const problems: string[] = [];
  for (const { metadata, spec } of rendered.of("Service"))
    if (!deployments.some(({ spec: of }) => selects(spec?.selector, of?.template?.metadata?.labels)))
      problems.push(`the service ${metadata?.name} selects no pod`);
  for (const { metadata, spec } of rendered.of("PodDisruptionBudget"))
    if (
      !deployments.some(({ spec: of }) =>
        selects(spec?.selector?.matchLabels, of?.template?.metadata?.labels),
      )
    )
      problems.push(`the budget ${metadata?.name} selects no pod`);
  const scalers = [...rendered.of("HorizontalPodAutoscaler"), ...rendered.of("ScaledObject")];
  for (const { metadata, spec } of scalers) {
    const target = named(spec?.scaleTargetRef.name);
    if (!target) problems.push(`the autoscaler ${metadata?.name} has no Deployment`);
    else if (target.spec?.replicas !== undefined)
      problems.push(`${metadata?.name} has replicas beside its autoscaler`);
  }
  const accounts = new Set(rendered.of("ServiceAccount").map(({ metadata }) => metadata?.name));
  for (const { name, template } of workloadsOf(rendered)) {
    const account = template.spec?.serviceAccountName;
    if (account !== undefined && !accounts.has(account)) problems.push(`${name} has no account ${account}`);
  }
  return problems;
}
