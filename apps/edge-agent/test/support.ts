import { EventEmitter, once } from "node:events";
import { expect } from "vitest";
import { BufferFullError, type Read, type Sink } from "../src/inputs/input.ts";

/** A sink that keeps what it gets in memory. It can be full. */
export function createRecordingSink() {
  const changes = new EventEmitter();
  const reads: Read[] = [];
  const reasons: string[] = [];
  const seen = { heard: 0, refused: 0 };
  let full = false;
  let failure: Error | undefined;
  const sink: Sink = {
    accept: async (accepted) => {
      const error = failure;
      failure = undefined;
      if (error !== undefined) throw error;
      if (full) seen.refused += 1;
      else reads.push(...accepted);
      changes.emit("change");
      if (full) throw new BufferFullError("The buffer is full.");
    },
    heard: () => {
      seen.heard += 1;
      changes.emit("change");
    },
    unreadable: (reason) => {
      reasons.push(reason);
      changes.emit("change");
    },
  };
  return {
    sink,
    reads,
    reasons,
    seen,
    epcs: () => reads.map(({ epc }) => epc),
    /** The next write fails, as that to a broken disk. */
    failOnce: (error: Error) => {
      failure = error;
    },
    setFull: (isFull: boolean) => {
      full = isFull;
    },
    /** Resolves when the condition holds. It is looked at after each call of the sink. */
    until: async (condition: () => boolean): Promise<void> => {
      while (!condition()) await once(changes, "change");
    },
  };
}

export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** As expect.poll, with the patience that a busy machine needs. */
export const poll = <T>(look: () => T) => expect.poll(look, { timeout: 60_000 });
