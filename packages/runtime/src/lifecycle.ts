import { ConfigError } from "./config.ts";
import { createLogger } from "./logger.ts";

/** The result of a service's buildApp: all parts are created, none is started. */
export type App = {
  /** Target duration of `stop`. After twice this time the process exits, even if a part hangs. */
  shutdownTimeoutMs: number;
  /** "finished" if the work is done and the process exits. Anything else: it runs until a signal. */
  start(): Promise<unknown>;
  stop(): Promise<void>;
};

const FLUSH_TIMEOUT_MS = 500;

/** Two signals within this time count as one: npm and `timeout` pass on a signal that the process also gets itself. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs a process: build, start, wait for SIGTERM or SIGINT, stop, exit.
 *
 * | Exit code | When                                                                      |
 * | --------- | ------------------------------------------------------------------------- |
 * | 0         | after an orderly stop, or if `start` finished the work                    |
 * | 1         | build, start or stop failed or hung                                       |
 * | 1         | after an uncaught error, also during the stop                             |
 * | 1         | immediately after a second signal, a second or more after the first       |
 */
export async function runApp(build: () => Promise<App> | App): Promise<void> {
  const logger = createLogger({ service: "lifecycle" });
  let app: App | undefined;
  let stopping = false;
  let signalledAt: number | undefined;
  let exitCode = 0;

  async function end(): Promise<void> {
    if (app === undefined) return exit(0);
    // Twice the time, because stopInOrder gives each late phase a share of it.
    const stopTimeoutMs = app.shutdownTimeoutMs * 2;
    const hung = setTimeout(() => {
      logger.fatal({ stopTimeoutMs }, "the app did not stop in time");
      exit(1);
    }, stopTimeoutMs);
    try {
      await app.stop();
      exit(0);
    } catch (error) {
      logger.error({ error }, "stop failed");
      exit(1);
    } finally {
      clearTimeout(hung);
    }
  }

  /** Flushes the log before the exit, because the last lines show its reason. It waits at most FLUSH_TIMEOUT_MS. */
  function exit(code: number): void {
    exitCode = Math.max(exitCode, code);
    setTimeout(() => process.exit(exitCode), FLUSH_TIMEOUT_MS);
    logger.flush(() => process.exit(exitCode));
  }

  function stop(reason: string, code: number): void {
    exitCode = Math.max(exitCode, code);
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, "stopping");
    void end();
  }

  function signalled(name: NodeJS.Signals): void {
    signalledAt ??= performance.now();
    if (performance.now() - signalledAt >= SAME_SIGNAL_MS) exit(1);
    else stop(name, 0);
  }

  process.on("SIGTERM", signalled);
  process.on("SIGINT", signalled);
  process.on("uncaughtException", (error) => {
    logger.fatal({ error }, "uncaught exception");
    stop("uncaughtException", 1);
  });
  process.on("unhandledRejection", (reason) => {
    logger.fatal({ error: reason }, "unhandled rejection");
    stop("unhandledRejection", 1);
  });

  try {
    app = await build();
    if (!stopping && (await app.start()) === "finished") stop("finished", 0);
  } catch (error) {
    // Operators read this: it is only the list of problems, without a stack trace.
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ error }, "could not start");
    // A start that fails because of a stop is not an error.
    stop("start failed", stopping ? 0 : 1);
  }
}
