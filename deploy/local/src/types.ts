import type { LocalError } from "./errors.ts";

export type ServerName = "mongo" | "kafka" | "redis";

/** Takes one line for the person who waits. */
export type Progress = (line: string) => void;

export type Environment = Readonly<Record<string, string | undefined>>;

export type RunningServer = {
  name: ServerName;
  source: "environment" | "docker" | "native";
  /** `mongodb://...`, `host:port` (Kafka) or `redis://...`. */
  url: string;
  /** Ends it in an orderly way; its data stays. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Freezes it: connections stay open and nothing is answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** After `kill` or `stop`: the same port and the same data; returns when ready. */
  restart(): Promise<void>;
  /** Resolves with the reason if it ends without having been asked to. */
  failed: Promise<LocalError>;
};

export type ServerOptions = {
  /** Holds data, logs, chosen ports and pid files. */
  dataDirectory: string;
  port?: number;
  progress: Progress;
  /**
   * Where it must come from. Left out: the environment, else a Docker engine,
   * else native. `private` leaves out the environment, for tests that kill it.
   */
  source?: "docker" | "native" | "private";
  /** Default: that of this process. */
  env?: Environment;
};

/** A command to run natively. */
export type Launch = { command: string; args: string[]; env: Environment };

/** The same server as a container; it listens on the same ports as outside. */
type ContainerPlan = {
  entrypoint: string[];
  command: string[];
  environment: Record<string, string>;
  /** Where the data directory is seen inside. */
  mount: string;
};

export type LaunchContext = {
  /** Exists, belongs to this server and this version alone. */
  directory: string;
  port: number;
  /** A second port, for Kafka's controller. */
  innerPort: number;
};

/** What is different between the three servers; all else is shared. */
export type ServerKind = {
  name: ServerName;
  /** The setting that names a server that runs already. */
  variable: string;
  /** What it is waited for, in a progress line. */
  awaited: string;
  url(port: number): string;
  /** Throws until the server serves. `owned` is set when this process may configure it. */
  probe(url: string, owned: { port: number } | undefined): Promise<void>;
  /** Finds or fetches the program; `version` names the data folder. */
  native(
    env: Environment,
    progress: Progress,
  ): Promise<{ version: string; launch(context: LaunchContext): Promise<Launch> }>;
  container(context: LaunchContext): Promise<ContainerPlan>;
};
