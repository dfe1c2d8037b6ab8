import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../log.ts";
import type { Input, InputState } from "../input.ts";

export type Connection = {
  /** Aborted when the input stops. */
  signal: AbortSignal;
  /** The peer accepted the connection: the next attempt after it is made at once. */
  connected(detail: string): void;
};

/** Opens a connection, and resolves or rejects when it has ended. */
export type Connect = (connection: Connection) => Promise<void>;

/** Doubled after each attempt that fails. A site has few readers, so a minute is long enough to spare them. */
const DELAYS_MS = { min: 1_000, max: 60_000 };

/** An input that opens a connection to its reader, and opens it again when it ends. */
export function keepConnected(connect: Connect, log: Log, delaysMs = DELAYS_MS): Input {
  const stopping = new AbortController();
  const { signal } = stopping;
  let state: InputState = { state: "waiting" };
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    let delayMs = delaysMs.min;
    while (!signal.aborted) {
      state = { state: "connecting" };
      const connected = (detail: string): void => {
        delayMs = delaysMs.min;
        state = { state: "connected", detail };
        log.info("The reader is connected.", { detail });
      };
      const reason = await connect({ signal, connected }).then(() => "The connection was closed.", messageOf);
      if (signal.aborted) return;
      state = { state: "failed", detail: reason };
      log.warn("The reader is not connected.", { reason });
      // The jitter keeps readers that lost the same switch from connecting in step.
      await sleep(delayMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, delaysMs.max);
    }
  }

  return {
    start: async () => {
      running = run();
    },
    stop: async () => {
      stopping.abort();
      await running;
      state = { state: "waiting" };
    },
    state: () => state,
  };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
