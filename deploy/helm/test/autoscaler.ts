/** The part of a HorizontalPodAutoscaler that limits its changes. */
type Policy = { type: string; value: number; periodSeconds: number };
type Rules = { stabilizationWindowSeconds?: number; policies?: Policy[]; selectPolicy?: string };
export type Behavior = { scaleUp?: Rules; scaleDown?: Rules };

export type AutoscalerOptions = { min: number; max: number; behavior: Behavior; replicas: number };

/** The changes below which Kubernetes does nothing. */
const TOLERANCE = 0.1;

/** The defaults of Kubernetes for what a behavior leaves out. */
const DEFAULT_UP: Required<Pick<Rules, "stabilizationWindowSeconds" | "policies">> = {
  stabilizationWindowSeconds: 0,
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const DEFAULT_DOWN: typeof DEFAULT_UP = {
  stabilizationWindowSeconds: 300,
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

/**
 * A model of the HorizontalPodAutoscaler of Kubernetes (autoscaling/v2), as its documentation describes the algorithm: the
 * replicas are multiplied by metric / target; the wish is stabilized over the windows; the policies limit each change.
 */
export function createAutoscaler({ min, max, behavior, replicas: start }: AutoscalerOptions) {
  const up = { ...DEFAULT_UP, ...behavior.scaleUp };
  const down = { ...DEFAULT_DOWN, ...behavior.scaleDown };
  const wishes: { at: number; replicas: number }[] = [];
  const changes: { at: number; by: number }[] = [];
  let replicas = start;

  const wishesSince = (at: number) => wishes.filter((wish) => wish.at >= at).map((wish) => wish.replicas);

  /** The replicas at the start of the period of a policy. */
  const before = (now: number, { periodSeconds }: Policy): number =>
    changes.filter(({ at }) => at > now - periodSeconds).reduce((total, { by }) => total - by, replicas);

  const limitUp = (now: number): number =>
    Math.max(
      ...up.policies.map((policy) => {
        const base = before(now, policy);
        return policy.type === "Pods" ? base + policy.value : Math.ceil(base * (1 + policy.value / 100));
      }),
    );
  const limitDown = (now: number): number =>
    Math.min(
      ...down.policies.map((policy) => {
        const base = before(now, policy);
        return policy.type === "Pods" ? base - policy.value : Math.floor(base * (1 - policy.value / 100));
      }),
    );

  return {
    changes,
    replicas: () => replicas,
    /** One look of the controller, which Kubernetes takes every 15 s. `now` is in seconds. */
    look(now: number, metric: number, target: number): void {
      const ratio = metric / target;
      const wish = Math.abs(ratio - 1) <= TOLERANCE ? replicas : Math.ceil(replicas * ratio);
      wishes.push({ at: now, replicas: Math.min(max, Math.max(min, wish)) });
      const least = Math.min(...wishesSince(now - up.stabilizationWindowSeconds));
      const most = Math.max(...wishesSince(now - down.stabilizationWindowSeconds));
      let next = replicas;
      if (least > replicas) next = Math.min(least, Math.max(limitUp(now), replicas));
      else if (most < replicas) next = Math.max(most, Math.min(limitDown(now), replicas));
      if (next !== replicas) changes.push({ at: now, by: next - replicas });
      replicas = next;
    },
  };
}

export type Load = {
  /** Events that arrive in a second. */
  rate: number;
  /** Events that one replica processes in a second. */
  capacity: number;
  /** For so long after a change of the replicas, nothing is processed: the partitions are assigned again. */
  rebalanceSeconds: number;
  /** When nothing is processed, because the broker fails over. */
  outage: { from: number; until: number };
};

/** Lag in seconds while an autoscaler works: each second's lag, and the replicas. */
export function simulateLag(
  options: AutoscalerOptions & { target: number; leastOfSeconds: number; seconds: number },
  load: Load,
) {
  const autoscaler = createAutoscaler(options);
  const lags: number[] = [];
  const replicas: number[] = [];
  let lag = 0;
  for (let now = 0; now < options.seconds; now += 1) {
    const changed = autoscaler.changes.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    const isStopped =
      (now >= load.outage.from && now < load.outage.until) || now - changed < load.rebalanceSeconds;
    const processed = isStopped ? 0 : (autoscaler.replicas() * load.capacity) / load.rate;
    lag = Math.max(0, lag + 1 - processed);
    lags.push(lag);
    replicas.push(autoscaler.replicas());
    // Kubernetes looks every 15 s. The query has the least of its window.
    if (now % 15 === 0)
      autoscaler.look(now, Math.min(...lags.slice(-Math.max(1, options.leastOfSeconds))), options.target);
  }
  return { lags, replicas, changes: autoscaler.changes };
}
