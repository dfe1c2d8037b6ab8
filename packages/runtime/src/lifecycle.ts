import { ConfigError } from "./config.ts";
import { createLogger } from "./logger.ts";

/** What a service's buildApp gives: everything wired, nothing running yet. */
export type App = {
  /** What `stop` aims at. After twice that the process ends, whatever still hangs. */
  shutdownTimeoutMs: number;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const FLUSH_TIMEOUT_MS = 500;

/** npm, and `timeout` for its whole group, pass on what the process is sent already: one wish, two signals. */
const SAME_SIGNAL_MS = 1_000;

/**
 * The life of a process: build, start, wait for SIGTERM or SIGINT, stop, exit. Exit code 0 after an
 * orderly stop; 1 when building, starting or stopping failed or hung, or after an uncaught error, be it
 * while stopping. A second signal, a second or more after the first, ends it at once.
 */
export async function runApp(build: () => Promise<App> | App): Promise<void> {
  const logger = createLogger({ service: "lifecycle" });
  let app: App | undefined;
  let stopping = false;
  let signalledAt: number | undefined;
  let exitCode = 0;

  async function end(): Promise<void> {
    if (app === undefined) return exit(0);
    // Twice: each phase of stopInOrder has a share left, whatever the earlier ones took.
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

  /** The last lines are why the process ended: they are written before it does, unless nobody reads them. */
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
    if (!stopping) await app.start();
  } catch (error) {
    // A wrong setting is the operator's to read: the list alone, no stack.
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ error }, "could not start");
    // To be stopped meanwhile is reason enough for a start to fail.
    stop("start failed", stopping ? 0 : 1);
  }
}
