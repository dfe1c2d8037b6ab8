import { Kafka, logLevel } from "kafkajs";
import { LocalError } from "./errors.ts";
import { kafkaKind, newClusterId } from "./kafka.ts";
import { type NativeServer, startNative } from "./native.ts";
import { assignPort } from "./ports.ts";
import type { ChangeLaunch, Environment, Progress } from "./types.ts";
import { waitFor } from "./wait.ts";

export type KafkaClusterOptions = {
  /** The folder for the data and logs of all nodes. */
  dataDirectory: string;
  brokers: number;
  /** The first of the brokers, which also elect the controller. More than half of them must run. Default: all. */
  controllers?: number;
  /** Puts something in front of a node, which then has this port for the others and for clients. Default: nothing. */
  expose?: (node: string, port: number) => Promise<number>;
  /** Default: each node is started as it is. */
  changeLaunch?: ChangeLaunch | undefined;
  /** Is called each time a node exits without a call of `stop` or `kill`. */
  onExit?: (node: string, fault: LocalError) => void;
  progress: Progress;
  /** Default: the environment of this process. */
  env?: Environment;
};

export type KafkaCluster = {
  /** `host:port` of each broker, separated by commas. */
  url: string;
  /** The broker with node id 1, then the others. */
  brokers: NativeServer[];
  stop(): Promise<void>;
};

/**
 * Starts several Kafka brokers as processes of this machine, with small heaps. Returns when all of them are registered.
 * @throws LocalError if one of them does not get ready
 */
export async function startKafkaCluster(options: KafkaClusterOptions): Promise<KafkaCluster> {
  const { dataDirectory, progress, env = process.env } = options;
  const exposed = async (name: string, port: number) => (await options.expose?.(name, port)) ?? port;
  const clusterId = newClusterId();
  const ports = new Map<number, { port: number; innerPort: number; advertisedPort: number }>();
  const controllers: { id: number; port: number }[] = [];
  for (let id = 1; id <= options.brokers; id += 1) {
    const name = `kafka-${id}`;
    const port = await assignPort(dataDirectory, name);
    const innerPort = await assignPort(dataDirectory, `${name}-controller`);
    ports.set(id, { port, innerPort, advertisedPort: await exposed(name, port) });
    if (id <= (options.controllers ?? options.brokers))
      controllers.push({ id, port: await exposed(name, innerPort) });
  }
  const results = await Promise.allSettled(
    [...ports].map(([id, { advertisedPort, ...own }]) =>
      startNative(kafkaKind({ id, clusterId, controllers, nodes: options.brokers, advertisedPort }), {
        ...{ ...own, env, progress, dataDirectory, changeLaunch: options.changeLaunch },
        name: `kafka-${id}`,
        onExit: (fault) => options.onExit?.(`kafka-${id}`, fault),
      }),
    ),
  );
  const brokers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async () => {
    // The controllers last: a broker asks them before it stops.
    for (const broker of brokers.toReversed()) await broker.stop();
  };
  const url = [...ports.values()].map((own) => `127.0.0.1:${own.advertisedPort}`).join(",");
  try {
    const fault = results.find((result) => result.status === "rejected");
    if (fault !== undefined) throw fault.reason;
    await waitFor({
      what: `kafka: waiting for ${options.brokers} brokers`,
      attempt: () => requireBrokers(url, options.brokers),
      timeoutMs: 60_000,
      progress,
      timedOut: (cause) =>
        new LocalError(
          `Not all ${options.brokers} Kafka brokers were registered within a minute.`,
          `The machine may be overloaded: try again. The logs are in ${dataDirectory}.`,
          { cause },
        ),
    });
    return { url, brokers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function requireBrokers(url: string, count: number): Promise<void> {
  const admin = new Kafka({ brokers: url.split(","), logLevel: logLevel.NOTHING }).admin();
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    if (brokers.length < count) throw new Error(`${brokers.length} of ${count} brokers are registered`);
  } finally {
    await admin.disconnect();
  }
}
