import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { openBuffer, type ReadBuffer } from "./buffer/buffer.ts";
import { createPlatformClock, type PlatformClock } from "./clock/platform-clock.ts";
import { bootId } from "./clock/system-time.ts";
import type { Config, ReaderConfig } from "./config/schema.ts";
import { writeControlToken } from "./control/control-token.ts";
import { handleRefused } from "./control/refused-request.ts";
import { findCredentials } from "./enrolment/credentials.ts";
import { createEnrolmentFile } from "./enrolment/enrolment-file.ts";
import { createSecretSync } from "./enrolment/secret-sync.ts";
import { createHttpListener } from "./inputs/http-listener.ts";
import { createInput } from "./inputs/inputs.ts";
import { createMqttBroker } from "./inputs/mqtt/broker.ts";
import type { Log } from "./log.ts";
import { createDrain } from "./page/drain.ts";
import { createMetrics } from "./page/metrics.ts";
import { createPageServer } from "./page/page-server.ts";
import { type Status, statusOf } from "./page/status.ts";
import { createReaderSink } from "./readers/reader-sink.ts";
import { createEpcFilter } from "./thinning/epc-filter.ts";
import { receiptOf } from "./upload/event-time.ts";
import { createMergeRows } from "./upload/merge-rows.ts";
import { createPlatformClient, type PlatformClient } from "./upload/platform-client.ts";
import { createSendBatch } from "./upload/send-batch.ts";
import { createUploader } from "./upload/uploader.ts";
import { VERSION } from "./version.ts";
import { within } from "./within.ts";

export type Agent = {
  /** @throws Error if an address is taken */
  start(): Promise<void>;
  /** Resolves when nothing is under way. What was accepted and not sent is in the buffer. */
  stop(): Promise<void>;
  status(): Status;
  /** Where readers post and publish, and where the page is, after the start. */
  ports(): { http: number | undefined; mqtt: number | undefined; page: number };
};

export type AgentOptions = {
  log: Log;
  /** AGENT_KEY: encrypts the stored secrets. */
  key: string | undefined;
};

/** The platform takes no older reads. */
const MAX_AGE_MS = 7 * 86_400_000;
const SAMPLE_MS = 2_000;
const DROP_OLD_MS = 60_000;
const THIN_MS = 1_000;
/** Inputs, then the batches under way. Service managers kill a process after 10 s or more. */
const STOP_INPUTS_MS = 4_000;
const STOP_UPLOADS_MS = 4_000;

/**
 * Wires the agent. The buffer is opened here.
 * @throws Error if another agent uses the buffer, or a file of the configuration is missing
 */
export function buildAgent(config: Config, { log, key }: AgentOptions): Agent {
  mkdirSync(config.data, { recursive: true, mode: 0o700 });
  const startedAt = Date.now();
  const clock = createPlatformClock();
  const client = connect(config, clock);
  const file = createEnrolmentFile(config.data, key);
  const buffer = openBufferOf(config, clock);
  const secrets = createSecretSync({
    ...{ client, clock, file, log },
    onChange: () => uploader.retry(),
    report: () => {
      const { rows, oldestAt } = buffer.state();
      const oldest_at = oldestAt === undefined ? null : new Date(oldestAt).toISOString();
      return { version: VERSION, buffer: { rows, oldest_at } };
    },
  });
  const byName = new Map(config.readers.map((reader) => [reader.name, reader]));
  const uploader = createUploader({
    ...{ buffer, clock, log, send: createSendBatch(client, clock), syncSecrets: secrets.now },
    readers: config.readers.map((reader) => ({
      name: reader.name,
      windowMs: thinningOf(reader, config).window,
    })),
    credentialsOf: (name) => {
      const reader = byName.get(name);
      return reader && findCredentials(reader, secrets.enrolment());
    },
  });
  const http = config.http && createHttpListener(config.http, log);
  const broker = config.mqtt_broker && createMqttBroker(config.mqtt_broker, log);
  const readers = config.readers.map((reader) => {
    const { name } = reader;
    const passes = createEpcFilter(thinningOf(reader, config).epc_prefixes);
    const sink = createReaderSink({ name, buffer, clock, passes, onHeard: () => uploader.heard(name) });
    return {
      config: reader,
      sink,
      input: createInput(reader.input, { reader: name, sink, log: logOf(log, name), http, broker }),
    };
  });
  const drain = createDrain(clock.monotonic);
  const status = (): Status =>
    statusOf({ url: config.platform.url, startedAt, clock, buffer, uploader, secrets, drain, readers });
  const page = createPageServer({
    ...config.page,
    password: config.page.password,
    controlToken: writeControlToken(config.data),
    refused: (request) => handleRefused(buffer, request),
    status,
    metrics: createMetrics(status),
  });
  const timers: NodeJS.Timeout[] = [];

  const dropOld = (): void => {
    // Without the platform's time, a wrong clock could make all reads look old.
    if (clock.offsetMs() === undefined) return;
    const oldest = clock.now() - MAX_AGE_MS;
    buffer
      .dropOld((read) => receiptOf(read, clock) < oldest, oldest)
      .catch((error: unknown) => log.error("Old reads could not be dropped.", { error: String(error) }));
  };

  /** While the platform is unavailable, the rows that wait for it are made fewer. */
  const thinBacklog = (): void => {
    if (uploader.state().problem === undefined) return;
    for (const reader of config.readers) {
      buffer
        .thinBacklog(reader.name, createMergeRows(clock, thinningOf(reader, config).window))
        .catch((error: unknown) => log.error("A backlog could not be thinned.", { error: String(error) }));
    }
  };

  return {
    status,
    ports: () => ({ http: http?.port(), mqtt: broker?.port(), page: page.port() }),
    async start() {
      await page.start();
      secrets.start();
      uploader.start();
      for (const { config: reader, input } of readers) {
        // One reader must not stop the others.
        await input
          .start()
          .catch((error: unknown) =>
            log.error("An input failed.", { reader: reader.name, error: String(error) }),
          );
      }
      await http?.start();
      await broker?.start();
      timers.push(
        setInterval(() => drain.sample(buffer.state().rows), SAMPLE_MS),
        setInterval(dropOld, DROP_OLD_MS),
        setInterval(thinBacklog, THIN_MS),
      );
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      const inputs = readers.map(({ input }) => input.stop());
      await within(STOP_INPUTS_MS, Promise.allSettled([...inputs, http?.stop(), broker?.stop()]));
      secrets.stop();
      await uploader.stop(STOP_UPLOADS_MS);
      await page.stop();
      await client.close();
      buffer.close();
    },
  };
}

export const bufferFile = ({ data }: Config): string => path.join(data, "buffer.sqlite");

/** @throws Error if another agent uses the file */
export function openBufferOf(config: Config, { monotonic }: PlatformClock): ReadBuffer {
  return openBuffer({
    ...{ file: bufferFile(config), bootId: bootId(), monotonic },
    readers: config.readers.map(({ name }) => name),
    maxBytes: config.buffer.max_bytes,
    whenFull: config.buffer.when_full,
  });
}

export function connect({ platform }: Config, clock: PlatformClock): PlatformClient {
  const ca = platform.ca === undefined ? undefined : readFileSync(platform.ca, "utf8");
  return createPlatformClient({ url: platform.url, ca, proxy: platform.proxy }, clock);
}

const thinningOf = ({ thinning }: ReaderConfig, config: Config): Config["thinning"] => ({
  window: thinning?.window ?? config.thinning.window,
  epc_prefixes: thinning?.epc_prefixes ?? config.thinning.epc_prefixes,
});

const logOf = (log: Log, reader: string): Log => ({
  info: (message, fields) => log.info(message, { reader, ...fields }),
  warn: (message, fields) => log.warn(message, { reader, ...fields }),
  error: (message, fields) => log.error(message, { reader, ...fields }),
});
