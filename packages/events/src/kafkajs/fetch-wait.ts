import type { Broker, Cluster } from "kafkajs";

/**
 * Sets for each fetch how long the broker waits for records before it answers; kafkajs has one time for all
 * fetches. It passes its cluster to the partition assigner, and looks up the broker before each fetch.
 */
export function setFetchWait(cluster: Cluster, waitMs: () => number): void {
  const findBroker = cluster.findBroker.bind(cluster);
  const changed = new WeakSet<Broker>();
  cluster.findBroker = async (node) => {
    const broker = await findBroker(node);
    if (changed.has(broker)) return broker;
    changed.add(broker);
    const fetch = broker.fetch.bind(broker);
    broker.fetch = (request) => fetch({ ...request, maxWaitTime: waitMs() });
    return broker;
  };
}
