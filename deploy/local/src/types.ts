import type { LocalError } from "./errors.ts";

export type ServerName = "mongo" | "kafka" | "redis";

/** Receives one line of progress for the user. */
export type Progress = (line: string) => void;

export type Environment = Readonly<Record<string, string | undefined>>;

export type RunningServer = {
  name: ServerName;
  source: "environment" | "docker" | "native";
  /** `mongodb://...`, `host:port` (Kafka) or `redis://...`. */
  url: string;
  /** Stops the server in order. Its data stays. */
  stop(): Promise<void>;
  /** Kills the server, like a crash. */
  kill(): Promise<void>;
  /** Suspends the server: connections stay open and get no response. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Starts the server again on the same port and data. Returns when it is ready. */
  restart(): Promise<void>;
  /** Resolves with the reason if the server exits without a call of `stop` or `kill`. */
  failed: Promise<LocalError>;
};

export type ServerOptions = {
  /** The folder for data, logs, ports.json and pid files. */
  dataDirectory: string;
  port?: number;
  progress: Progress;
  /**
   * The required source. Default: the environment, else a Docker engine, else native. `private` is the default
   * without the environment, for tests that kill the server.
   */
  source?: "docker" | "native" | "private";
  /** Default: the environment of this process. */
  env?: Environment;
};

/** The command of a native server. */
export type Launch = { command: string; args: string[]; env: Environment };

/** Changes how a server is started whose data is in `directory`. It is called once, before the first start. */
export type ChangeLaunch = (server: string, launch: Launch, directory: string) => Promise<Launch>;

/** The same server as a container. It listens on the same ports inside and outside. */
type ContainerPlan = {
  entrypoint: string[];
  command: string[];
  environment: Record<string, string>;
  /** The path of the data directory inside the container. */
  mount: string;
};

/** One of several Kafka brokers. The nodes that are controllers vote. */
export type KafkaNode = {
  id: number;
  clusterId: string;
  /** All controllers, with the ports at which the others reach them. A node that is not among them is only a broker. */
  controllers: readonly { id: number; port: number }[];
  /** The port at which clients and other brokers reach this one. */
  advertisedPort: number;
  /** The number of nodes. */
  nodes: number;
};

export type LaunchContext = {
  /** An existing folder that only this server and this version use. */
  directory: string;
  port: number;
  /** A second port, for Kafka's controller. */
  innerPort: number;
};

/** The differences between the three servers. Everything else is shared code. */
export type ServerKind = {
  name: ServerName;
  /** The setting that names a server that runs already. */
  variable: string;
  /** The event or part that the progress line names: "waiting for ...". */
  awaited: string;
  url(port: number): string;
  /**
   * Checks that the server is ready. `owned` is set if this process started it and may configure it.
   * @throws Error until the server is ready
   */
  probe(url: string, owned: { port: number } | undefined): Promise<void>;
  /** Finds or downloads the program. `version` is part of the data folder's name. */
  native(
    env: Environment,
    progress: Progress,
  ): Promise<{ version: string; launch(context: LaunchContext): Promise<Launch> }>;
  container(context: LaunchContext): Promise<ContainerPlan>;
};
