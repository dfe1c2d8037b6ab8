import type { Logger, Metrics } from "@asset-register/runtime";
import type { Archive, ArchiveKind } from "../../domain/archive/archive.ts";

type Options = {
  metrics: Metrics;
  logger: Logger;
  /** For how long the oldest day has been due that is not moved, in milliseconds. 0 if none waits. */
  oldestWaitingMs(): Promise<number>;
};

/** Creates the metrics of the archive. At each scrape the gauge queries the database, so it covers all processes. */
export function createArchiveMetrics({ metrics, logger, oldestWaitingMs }: Options) {
  const labelNames = ["kind"] as const;
  const files = metrics.counter({
    ...{ name: "archive_files_written_total", labelNames },
    help: "Files with the rows of a workspace's day.",
  });
  const bytes = metrics.counter({
    ...{ name: "archive_bytes_written_total", labelNames },
    help: "Compressed bytes of these files.",
  });
  const failures = metrics.counter({
    ...{ name: "archive_failures_total", labelNames },
    help: "Files of days that could not be written; they are retried.",
  });
  metrics.gauge({
    name: "archive_oldest_waiting_seconds",
    help: "For how long the oldest day has been due that is not moved to files yet.",
    async collect() {
      try {
        this.set((await oldestWaitingMs()) / 1_000);
      } catch (error) {
        // A scrape must not fail while the database is unavailable: the gauge keeps its last value.
        logger.debug({ err: error }, "waiting days of the archive not measured");
      }
    },
  });
  return {
    written({ kind, bytes: size }: Archive): void {
      files.inc({ kind });
      bytes.inc({ kind }, size);
    },
    failed: (kind: ArchiveKind): void => failures.inc({ kind }),
  };
}

export type ArchiveMetrics = ReturnType<typeof createArchiveMetrics>;
