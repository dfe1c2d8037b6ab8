import type { LaunchContext } from "./types.ts";

/** The settings of one node that is broker and controller, for one machine. */
export function serverProperties(context: LaunchContext, logs: string, bind: string): string {
  const settings: Record<string, string | number | boolean> = {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.quorum.voters": `1@127.0.0.1:${context.innerPort}`,
    listeners: `PLAINTEXT://${bind}:${context.port},CONTROLLER://127.0.0.1:${context.innerPort}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${context.port}`,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": logs,
    // A misspelt topic must fail, not appear.
    "auto.create.topics.enable": false,
    "default.replication.factor": 1,
    "offsets.topic.replication.factor": 1,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "share.coordinator.state.topic.replication.factor": 1,
    "share.coordinator.state.topic.min.isr": 1,
    // 50 by default: one node needs few, and each has to be loaded at start.
    "offsets.topic.num.partitions": 8,
    "transaction.state.log.num.partitions": 4,
    "group.initial.rebalance.delay.ms": 0,
    // Lets a test notice a killed consumer after seconds; the default floor is 6 s.
    "group.min.session.timeout.ms": 1000,
    // After a crash the node waits for its former self to be fenced: 9 s by default.
    "broker.session.timeout.ms": 3000,
    "broker.heartbeat.interval.ms": 500,
    "num.network.threads": 2,
    "num.io.threads": 4,
    // 128 MB of the 512 MB heap by default.
    "log.cleaner.dedupe.buffer.size": 16_777_216,
    // Two index files of 10 MB are set aside for each segment by default.
    "log.index.size.max.bytes": 1_048_576,
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${escaped(String(value))}\n`)
    .join("");
}

/** As java.util.Properties reads it: the file is Latin-1, and a backslash begins an escape. */
function escaped(value: string): string {
  return value.replace(
    /[^\x20-\x7e]|\\/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
