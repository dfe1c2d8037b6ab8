import type { Logger } from "@asset-register/runtime";
import { type LogEntry, logLevel } from "kafkajs";

/**
 * True by design here: retries are limited because a producer that failed is
 * replaced, which keeps its guarantee.
 */
const EXPECTED = "Limiting retries for the idempotent producer may invalidate EoS guarantees";

/** kafkajs's log as lines of ours. Its errors are warnings: whoever gets the failure decides how bad it is. */
export function kafkaLog(logger: Logger): () => (entry: LogEntry) => void {
  return () => (entry) => {
    const { message, timestamp: _, stack: __, ...fields } = entry.log;
    if (message === EXPECTED) return;
    const line = { kafka: entry.namespace, ...fields };
    if (entry.level === logLevel.ERROR || entry.level === logLevel.WARN) logger.warn(line, message);
    else logger.debug(line, message);
  };
}
