import { setTimeout as sleep } from "node:timers/promises";
import { deliver, type Parsed } from "../formats/format.ts";
import { BufferFullError, type Sink } from "../input.ts";

/** How often a full buffer is asked again. It says nothing when it has room. */
const RETRY_MS = 1_000;

/**
 * Delivers a message of a protocol without acknowledgement, and waits while the buffer is full. Meanwhile nothing is read
 * from the reader, so the reader has to keep what it reads.
 * @throws BufferFullError if the input stops before there is room
 */
export async function deliverWhenRoom(parsed: Parsed, sink: Sink, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await deliver(parsed, sink);
    } catch (error) {
      if (!(error instanceof BufferFullError) || signal.aborted) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
