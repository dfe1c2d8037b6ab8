import { type PartitionAssigner, PartitionAssigners } from "kafkajs";

/**
 * An assigner like the default of kafkajs, whose member runs `beforeJoin` each time before it joins its group. A join
 * is sent after it resolves, and not at all if it rejects.
 *
 * kafkajs reports a rebalance only by an event that it does not wait for. But each join begins with the look-up of the
 * coordinator, in the cluster that kafkajs passes to the assigner.
 */
export function assignAfter(beforeJoin: () => Promise<void>): PartitionAssigner {
  return (config) => {
    const { cluster } = config;
    const findGroupCoordinator = cluster.findGroupCoordinator.bind(cluster);
    cluster.findGroupCoordinator = async (group) => {
      await beforeJoin();
      return findGroupCoordinator(group);
    };
    return PartitionAssigners.roundRobin(config);
  };
}
