import type { KafkaNode, LaunchContext } from "./types.ts";

type Place = Pick<LaunchContext, "port" | "innerPort">;
type Node = Pick<KafkaNode, "id" | "controllers" | "nodes" | "advertisedPort">;

/**
 * The content of server.properties for one node on one machine: broker, and controller if it is named as one. Without
 * `node` it is the only one.
 */
export function serverProperties(
  { port, innerPort }: Place,
  logs: string,
  bind: string,
  { id, controllers, nodes, advertisedPort }: Node = {
    id: 1,
    controllers: [{ id: 1, port: innerPort }],
    nodes: 1,
    advertisedPort: port,
  },
): string {
  const replicas = Math.min(nodes, 3);
  const inSync = nodes < 3 ? 1 : 2;
  const votes = controllers.some((controller) => controller.id === id);
  const broker = `PLAINTEXT://${bind}:${port}`;
  const settings: Record<string, string | number | boolean> = {
    "process.roles": votes ? "broker,controller" : "broker",
    "node.id": id,
    "controller.quorum.voters": controllers.map((one) => `${one.id}@127.0.0.1:${one.port}`).join(","),
    listeners: votes ? `${broker},CONTROLLER://127.0.0.1:${innerPort}` : broker,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${advertisedPort}`,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": logs,
    // A misspelt topic name must be an error, not a new topic.
    "auto.create.topics.enable": false,
    "default.replication.factor": replicas,
    "min.insync.replicas": inSync,
    "offsets.topic.replication.factor": replicas,
    "transaction.state.log.replication.factor": replicas,
    "transaction.state.log.min.isr": inSync,
    "share.coordinator.state.topic.replication.factor": replicas,
    "share.coordinator.state.topic.min.isr": inSync,
    // The default is 50. One machine needs few, and loads each of them at the start.
    "offsets.topic.num.partitions": 8,
    "transaction.state.log.num.partitions": 4,
    "group.initial.rebalance.delay.ms": 0,
    // Lets tests detect a killed consumer within seconds. The default minimum is 6 s.
    "group.min.session.timeout.ms": 1000,
    // After a crash the node waits until its own old session has expired. The default is 9 s.
    "broker.session.timeout.ms": 3000,
    "broker.heartbeat.interval.ms": 500,
    // The default writes a record every 0.5 s while nothing happens.
    "metadata.max.idle.interval.ms": 5000,
    "num.network.threads": 2,
    "num.io.threads": 4,
    // The default is 128 MB, a quarter of the 512 MB heap.
    "log.cleaner.dedupe.buffer.size": 16_777_216,
    // The default allocates two index files of 10 MB for each segment.
    "log.index.size.max.bytes": 1_048_576,
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}\n`)
    .join("");
}

/** Escapes a value for java.util.Properties: the file is Latin-1, and a backslash starts an escape sequence. */
function escapeProperty(value: string): string {
  return value.replace(
    /[^\x20-\x7e]|\\/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
