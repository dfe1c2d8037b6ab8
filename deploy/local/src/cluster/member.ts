import { setTimeout as delay } from "node:timers/promises";
import type { LocalError } from "../errors.ts";
import type { Progress } from "../types.ts";

/** A server, service or gateway of a cluster, which can be disturbed. */
export type ClusterMember = {
  kind: "mongo" | "kafka" | "redis" | "sentinel" | "service" | "gateway";
  /** Where clients and other members reach it: `host:port`. */
  address: string;
  /** The folder of a server's data. */
  directory?: string;
  /** The address of health and metrics of a service or gateway. */
  healthUrl?: string;
  pid(): number;
  /** Stops it in order. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Freezes it: connections stay open and get no response. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Starts it again, stopped or running. Returns when it is ready. */
  restart(): Promise<void>;
  /** Waits until a service or gateway is ready. */
  ready?(): Promise<void>;
};

/** A member that ends itself is started again after this time, as Kubernetes does. */
const RESTART_MS = 1_000;

/** Starts members again that end themselves, until `stop`. */
export type Supervisor = {
  exited(name: string, fault: LocalError): void;
  stop(): void;
};

export function createSupervisor(
  members: ReadonlyMap<string, ClusterMember>,
  progress: Progress,
): Supervisor {
  let stopped = false;
  const startAgain = async (name: string): Promise<void> => {
    for (;;) {
      await delay(RESTART_MS);
      if (stopped) return;
      try {
        return await members.get(name)?.restart();
      } catch (error) {
        // For example, its disk is still full.
        if (!stopped) progress(`${name} could not start again: ${String(error)}`);
      }
    }
  };
  return {
    exited(name, fault) {
      if (stopped) return;
      progress(`${fault.message} Starting it again`);
      void startAgain(name);
    },
    stop() {
      stopped = true;
    },
  };
}
