import type { PendingBatch } from "../buffer/batch-rows.ts";
import type { ReadBuffer } from "../buffer/buffer.ts";
import type { PlatformClock } from "../clock/platform-clock.ts";
import type { Log } from "../log.ts";
import { within } from "../within.ts";
import { createBacklogRate } from "./backlog-rate.ts";
import { createFormBatch } from "./batch-body.ts";
import { nextWork, type Work } from "./next-work.ts";
import type { Outcome } from "./outcome.ts";
import { createPauses } from "./pauses.ts";
import { createReaderUpload, isHeartbeatDue, type ReaderUpload } from "./reader-upload.ts";
import { refusedEvents } from "./refused-events.ts";
import { heartbeat, type ReaderCredentials, type SendBatch } from "./send-batch.ts";

export type UploaderOptions = {
  readers: readonly { name: string; windowMs: number }[];
  buffer: ReadBuffer;
  clock: PlatformClock;
  send: SendBatch;
  /** Undefined while the reader's id or secret is unknown. */
  credentialsOf(reader: string): ReaderCredentials | undefined;
  /** Asks the platform for secrets. Resolves with true if some have changed. */
  syncSecrets(): Promise<boolean>;
  log: Log;
  /** Requests under way at once. */
  concurrency?: number | undefined;
};

export type UploadState = {
  lastUploadAt: number | undefined;
  /** Why the platform does not take what it gets. */
  problem: string | undefined;
  backlogPerSecond: number;
};

export type Uploader = {
  start(): void;
  /** Resolves when the requests under way are answered, after `timeoutMs` at the latest. */
  stop(timeoutMs: number): Promise<void>;
  heard(reader: string): void;
  /** The secrets have changed: readers that wait for theirs are tried at once. */
  retry(): void;
  readers(): readonly ReaderUpload[];
  state(): UploadState;
};

/** How often it looks for work while some waits, and while none does. */
const BUSY_MS = 25;
const IDLE_MS = 500;

/** The platform takes 20 requests of a reader a second. */
const BETWEEN_MS = 60;
const NO_CREDENTIALS = "The platform's id or secret of this reader is missing.";

/** Sends what is in the buffer: one request of a reader at a time, live reads of all readers before any backlog. */
export function createUploader(options: UploaderOptions): Uploader {
  const { buffer, clock, send, log, concurrency = 4 } = options;
  const readers = options.readers.map(({ name, windowMs }) => createReaderUpload(name, windowMs));
  const byName = new Map(readers.map((reader) => [reader.name, reader]));
  const [rate, pauses] = [createBacklogRate(), createPauses()];
  const underWay = new Set<Promise<void>>();
  const state: Omit<UploadState, "backlogPerSecond"> = { lastUploadAt: undefined, problem: undefined };
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;
  let first = 0;

  const schedule = (ms: number): void => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(look, ms);
  };
  const run = (reader: ReaderUpload, work: () => Promise<void>): void => {
    reader.busy = true;
    reader.pausedUntil = clock.monotonic() + BETWEEN_MS;
    const done = work()
      .catch((error: unknown) => {
        // The disk is full, for example. The batch is still in the buffer.
        reader.pausedUntil = clock.monotonic() + 1000;
        log.error("A batch could not be handled.", { reader: reader.name, error: String(error) });
      })
      .finally(() => {
        reader.busy = false;
        underWay.delete(done);
        schedule(0);
      });
    underWay.add(done);
  };

  /** What each free reader has to send. */
  const findWork = (now: number): { reader: ReaderUpload; work: Work | undefined }[] => {
    const pending = Map.groupBy(buffer.pending(), ({ reader }) => reader);
    // Another reader begins each time, so that each of them gets its turn.
    first = (first + 1) % Math.max(1, readers.length);
    const free = [...readers.slice(first), ...readers.slice(0, first)].filter(
      (reader) => !reader.busy && now >= reader.pausedUntil && now >= reader.lookAt,
    );
    return free.map((reader) => {
      const waiting = buffer.waiting(reader.name);
      const work = nextWork(pending.get(reader.name) ?? [], waiting, { now, windowMs: reader.windowMs });
      const { liveSince } = waiting;
      reader.lookAt =
        work === undefined && liveSince !== undefined
          ? Math.min(liveSince + reader.windowMs, now + IDLE_MS)
          : 0;
      return { reader, work };
    });
  };

  /** Starts what may be sent now. */
  const look = (): void => {
    const now = clock.monotonic();
    if (now < pauses.until()) {
      schedule(Math.min(pauses.until() - now, IDLE_MS));
      return;
    }
    const found = findWork(now);
    for (const { reader, work } of found) if (work?.live && underWay.size < concurrency) start(reader, work);
    for (const { reader, work } of found) {
      // One request less than possible, so that live reads never wait for the backlog.
      if (work === undefined || work.live || underWay.size >= Math.max(1, concurrency - 1)) continue;
      if (rate.isDue(now)) start(reader, work);
    }
    for (const { reader, work } of found) {
      if (work === undefined && isHeartbeatDue(reader, now) && underWay.size < concurrency) beat(reader);
    }
    const isAnyWaiting = found.some(({ work }) => work !== undefined) || !buffer.isEmpty();
    schedule(isAnyWaiting ? BUSY_MS : IDLE_MS);
  };

  const start = (reader: ReaderUpload, work: Work): void =>
    run(reader, async () => {
      const credentials = await credentialsOf(reader);
      if (credentials === undefined) return wait(reader, NO_CREDENTIALS);
      const batch =
        work.kind === "send"
          ? work.batch
          : await buffer.form(reader.name, work.live, createFormBatch(clock, reader.windowMs));
      if (batch === undefined) return;
      const now = clock.monotonic();
      if (!work.live) rate.sent(batch.events, now);
      const outcome = await sendAuthorised(batch, credentials, reader);
      await handle(reader, batch, outcome, { began: now, live: work.live });
    });

  const beat = (reader: ReaderUpload): void =>
    run(reader, async () => {
      const credentials = await credentialsOf(reader);
      if (credentials === undefined) return wait(reader, NO_CREDENTIALS);
      const began = clock.monotonic();
      const outcome = await sendAuthorised(heartbeat(), credentials, reader);
      if (outcome.kind === "refused") return wait(reader, outcome.code);
      await handle(reader, undefined, outcome, { began, live: true });
    });

  /** Without them the reader waits: somebody has to name it in the configuration or at the platform. */
  const credentialsOf = async ({ name }: ReaderUpload): Promise<ReaderCredentials | undefined> => {
    const known = options.credentialsOf(name);
    if (known !== undefined) return known;
    await options.syncSecrets();
    return options.credentialsOf(name);
  };

  /**
   * A refused signature may mean that the secret was rotated, or that this machine's clock was wrong until this answer.
   * Both are known now, so it is sent once more.
   */
  const sendAuthorised = async (
    batch: Parameters<SendBatch>[0],
    credentials: ReaderCredentials,
    reader: ReaderUpload,
  ): Promise<Outcome> => {
    const outcome = await send(batch, credentials);
    if (outcome.kind !== "unauthorised") return outcome;
    if (outcome.code !== "READER_TIMESTAMP_OUT_OF_RANGE") await options.syncSecrets();
    return send(batch, options.credentialsOf(reader.name) ?? credentials);
  };

  const wait = (reader: ReaderUpload, problem: string): void => {
    if (reader.problem !== problem)
      log.warn("Reads of a reader cannot be sent.", { reader: reader.name, problem });
    reader.problem = problem;
    reader.pausedUntil = clock.monotonic() + reader.backoff.next();
  };

  const handle = async (
    reader: ReaderUpload,
    batch: PendingBatch | undefined,
    outcome: Outcome,
    { began, live }: { began: number; live: boolean },
  ): Promise<void> => {
    const now = clock.monotonic();
    if (outcome.kind === "unauthorised") return wait(reader, outcome.code);
    if (outcome.kind === "unavailable") {
      pauses.unavailable(now, began, outcome.retryAfterMs);
      if (state.problem !== outcome.reason)
        log.warn("The platform is unavailable.", { reason: outcome.reason });
      state.problem = outcome.reason;
      return;
    }
    if (outcome.kind === "limited") {
      pauses.limited(now, outcome.retryAfterMs);
      rate.limited(now);
      return;
    }
    pauses.available();
    Object.assign(state, { lastUploadAt: clock.now(), problem: undefined });
    Object.assign(reader, { sentAt: now, problem: undefined });
    reader.backoff.reset();
    if (batch === undefined) return;
    const refused = refusedEvents(batch, outcome, clock.now());
    await buffer.settle(batch, refused);
    reader.sentEvents += batch.events - refused.length;
    reader.refusedEvents += refused.length;
    if (!live) rate.taken();
    if (refused.length > 0) {
      log.warn("The platform refused events. They are kept aside.", {
        reader: reader.name,
        events: refused.length,
        code: refused[0]?.code,
      });
    }
  };

  return {
    start() {
      stopped = false;
      schedule(0);
    },
    async stop(timeoutMs) {
      stopped = true;
      clearTimeout(timer);
      await within(timeoutMs, Promise.allSettled(underWay));
    },
    heard(name) {
      const reader = byName.get(name);
      if (reader !== undefined) reader.heardAt = clock.monotonic();
    },
    retry() {
      for (const reader of readers) if (reader.problem !== undefined) reader.pausedUntil = 0;
    },
    readers: () => readers,
    state: () => ({ ...state, backlogPerSecond: rate.perSecond() }),
  };
}
