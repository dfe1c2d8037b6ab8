import type { Logger } from "@asset-register/runtime";
import { type LogEntry, logLevel } from "kafkajs";

/**
 * A warning that does not apply here: retries are limited by design, because a
 * failed producer is replaced. That keeps the guarantee.
 */
const EXPECTED = "Limiting retries for the idempotent producer may invalidate EoS guarantees";

/** Writes the log of kafkajs to our logger. Its errors become warnings: the code that gets an error decides its level. */
export function kafkaLog(logger: Logger): () => (entry: LogEntry) => void {
  return () => (entry) => {
    const { message, timestamp: _, stack: __, ...fields } = entry.log;
    if (message === EXPECTED) return;
    const line = { kafka: entry.namespace, ...fields };
    if (entry.level === logLevel.ERROR || entry.level === logLevel.WARN) logger.warn(line, message);
    else logger.debug(line, message);
  };
}
