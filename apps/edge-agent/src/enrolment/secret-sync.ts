import { isDeepStrictEqual } from "node:util";
import type { PlatformClock } from "../clock/platform-clock.ts";
import type { Log } from "../log.ts";
import type { PlatformClient } from "../upload/platform-client.ts";
import { type AgentReport, sync } from "./agents-api.ts";
import type { Enrolment } from "./enrolment.ts";
import type { EnrolmentFile } from "./enrolment-file.ts";

export type SecretSync = {
  start(): void;
  stop(): void;
  /** Undefined if this agent is not enrolled. */
  enrolment(): Enrolment | undefined;
  /** Asks now, unless it did a moment ago. Resolves with true if something has changed. Never rejects. */
  now(): Promise<boolean>;
  /** Why the last attempt failed. */
  problem(): string | undefined;
};

export type SecretSyncOptions = {
  client: PlatformClient;
  clock: PlatformClock;
  file: EnrolmentFile;
  report(): AgentReport;
  /** The secrets have changed. */
  onChange(): void;
  log: Log;
};

const HOUR_MS = 3_600_000;
const RETRY_MS = 300_000;
/** Many readers may get a 401 at the same moment. */
const AGAIN_MS = 5_000;
/** How often it looks whether `edge-agent enrol` has been called. */
const LOOK_MS = 2_000;

/** Keeps the secrets of the readers up to date, so that a rotation needs no visit. */
export function createSecretSync({
  client,
  clock,
  file,
  report,
  onChange,
  log,
}: SecretSyncOptions): SecretSync {
  let enrolment = file.read();
  let problem: string | undefined;
  let running: Promise<boolean> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;

  const ask = async (known: Enrolment): Promise<boolean> => {
    askedAt = clock.monotonic();
    try {
      const answered = await sync({ client, clock }, known, report());
      problem = undefined;
      const isChanged = !isDeepStrictEqual(answered, known);
      enrolment = answered;
      if (isChanged) {
        file.write(answered);
        onChange();
      }
      return isChanged;
    } catch (error) {
      problem = messageOf(error);
      log.warn("The secrets could not be updated.", { reason: problem });
      return false;
    }
  };
  /** `edge-agent enrol` may have been called since the start. */
  const look = (): void => {
    try {
      const stored = file.read();
      if (stored === undefined || stored.secret === enrolment?.secret) return;
      enrolment = stored;
      onChange();
    } catch (error) {
      // It was encrypted with a key that this process does not have. It continues with the secrets that it has.
      problem = messageOf(error);
    }
  };
  const now = async (): Promise<boolean> => {
    if (running !== undefined) return running;
    if (enrolment === undefined || clock.monotonic() - askedAt < AGAIN_MS) return false;
    running = ask(enrolment).finally(() => {
      running = undefined;
    });
    return running;
  };
  const repeat = async (): Promise<void> => {
    await now();
    clearTimeout(timer);
    // Agents that started together do not ask together.
    timer = setTimeout(repeat, problem === undefined ? HOUR_MS * (0.9 + Math.random() / 5) : RETRY_MS);
    timer.unref();
  };

  return {
    now,
    start: () => {
      timer = setTimeout(repeat, 0);
      looking = setInterval(look, LOOK_MS);
    },
    stop() {
      clearTimeout(timer);
      clearInterval(looking);
    },
    enrolment: () => enrolment,
    problem: () => problem,
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
