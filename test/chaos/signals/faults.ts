import type { Cluster, ClusterMember } from "@asset-register/local";
import { findPrimary } from "../cluster/primary.ts";
import type { Expected } from "./alerts.ts";
import type { Load } from "./load.ts";
import type { SlowReceiver } from "./receiver.ts";

/** What a fault may use. */
export type World = {
  cluster: Cluster;
  load: Pick<Load, "sendWrongSignatures">;
  receiver: Pick<SlowReceiver, "setDelay">;
  /** Removes the targets of processes, as Kubernetes does with pods that are gone, or brings them back. */
  setGone(members: readonly string[], isGone: boolean): Promise<void>;
};

export type SignalFault = {
  name: string;
  /** Without any, the fault is there for three minutes, and should fire nothing. */
  expected: Expected[];
  /** Makes the fault. Returns the function that ends it. */
  make(world: World): Promise<() => Promise<void>>;
};

/** Longer than the 15 s of a delivery's time-out. */
const SLOW_MS = 30_000;

/** The services that the faults and the load need. */
export const SERVICES = ["identity", "register", "tagging-ingest", "maintenance", "finance", "notification"];

/** It disturbs all services for some seconds, so it is alone. */
const FIRST: SignalFault[] = [
  {
    name: "primary of MongoDB killed",
    expected: [],
    async make({ cluster }) {
      const primary = memberOf(cluster, await findPrimary(cluster));
      await primary.kill();
      return () => primary.restart();
    },
  },
];

/** They are made at once, because each concerns processes of its own. */
const TOGETHER: SignalFault[] = [
  {
    name: "all consumers of finance gone",
    expected: [page("ConsumerLagBurn", { service: "finance" })],
    make: (world) => gone(world, "finance-worker-1"),
  },
  {
    name: "relay of tagging-ingest gone",
    expected: [
      page("OutboxAgeBurn", { service: "tagging-ingest" }),
      page("OutboxRelayMissing", { service: "tagging-ingest" }),
    ],
    make: (world) => gone(world, "tagging-ingest-relay-1"),
  },
  {
    name: "handlers of maintenance hang: MongoDB does not answer its worker",
    expected: [
      { alert: "ConsumerPaused", labels: { group: "maintenance" } },
      page("ConsumerLagBurn", { service: "maintenance" }),
    ],
    async make({ cluster: { members, network } }) {
      const servers = [...members].filter(([, { kind }]) => kind === "mongo").map(([name]) => name);
      const heals = servers.map((to) => network.disturb({ from: "maintenance-worker-1", to, cut: true }));
      return async () => {
        for (const heal of heals) heal();
      };
    },
  },
  {
    name: "API of maintenance frozen",
    expected: [
      page("BreakerOpen", { service: "gateway", upstream: "maintenance" }),
      page("ProcessDown", { pod: "maintenance-api-1" }),
      page("ApiAvailabilityBurn", {}),
    ],
    async make({ cluster }) {
      const api = memberOf(cluster, "maintenance-api-1");
      await api.pause();
      return () => api.resume();
    },
  },
  {
    name: "a receiver of webhooks answers after 30 s",
    expected: [{ alert: "WebhookBacklog", labels: { service: "notification" } }],
    async make({ receiver }) {
      receiver.setDelay(SLOW_MS);
      return async () => receiver.setDelay(0);
    },
  },
  {
    name: "three readers with wrong signatures",
    expected: [],
    async make({ load }) {
      const end = load.sendWrongSignatures();
      return async () => end();
    },
  },
];

/** Without it there is no load. */
const LAST: SignalFault[] = [
  {
    name: "the only gateway crashed",
    expected: [page("ProcessDown", { pod: "gateway-1" }), page("ProcessMissing", { service: "gateway" })],
    async make({ cluster }) {
      const gateway = memberOf(cluster, "gateway-1");
      await gateway.kill();
      return () => gateway.restart();
    },
  },
];

/** In this order. Those of a group begin at once. */
export const GROUPS: readonly SignalFault[][] = [FIRST, TOGETHER, LAST];

function page(alert: string, labels: Record<string, string>): Expected {
  return { alert, labels: { ...labels, severity: "page" } };
}

async function gone({ cluster, setGone }: World, name: string): Promise<() => Promise<void>> {
  await memberOf(cluster, name).kill();
  await setGone([name], true);
  return async () => {
    await memberOf(cluster, name).restart();
    await setGone([name], false);
  };
}

function memberOf({ members }: Cluster, name: string): ClusterMember {
  const member = members.get(name);
  if (member === undefined) throw new Error(`The cluster has no member ${name}.`);
  return member;
}
