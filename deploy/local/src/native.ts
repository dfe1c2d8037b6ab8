import { join } from "node:path";
import { LocalError } from "./errors.ts";
import { lastLines } from "./explain-exit.ts";
import { type ManagedProcess, startProcess } from "./managed-process.ts";
import { readRunning } from "./pid-file.ts";
import { findFreePort } from "./ports.ts";
import { restartable } from "./restartable.ts";
import { createServerDirectory } from "./server-directory.ts";
import type {
  ChangeLaunch,
  Environment,
  Launch,
  LaunchContext,
  Progress,
  RunningServer,
  ServerKind,
} from "./types.ts";
import { waitFor } from "./wait.ts";

export type NativeOptions = {
  /** One of several servers of a kind, for example "mongo-1". Default: the kind's name. */
  name?: string;
  dataDirectory: string;
  port: number;
  /** Default: a free port. */
  innerPort?: number | undefined;
  env: Environment;
  progress: Progress;
  /** Default: the server is started as its kind says. */
  changeLaunch?: ChangeLaunch | undefined;
  /** Is called with the reason each time the server exits without a call of `stop` or `kill`. */
  onExit?: (fault: LocalError) => void;
};

export type NativeServer = RunningServer & {
  pid(): number;
  /** The folder of its data. */
  directory: string;
};

/**
 * Starts the server as a process of this machine. Each major version has a data folder of its own.
 * @throws LocalError if its program is missing or it does not get ready within 2 minutes
 */
export async function startNative(kind: ServerKind, options: NativeOptions): Promise<NativeServer> {
  const { name = kind.name } = options;
  assertNotRunning(name, options);
  const { version, launch } = await kind.native(options.env, options.progress);
  const context: LaunchContext = {
    directory: createServerDirectory(options.dataDirectory, `${name}-native-${version}`),
    port: options.port,
    innerPort: options.innerPort ?? (await findFreePort()),
  };
  const own = await launch(context);
  const plan = (await options.changeLaunch?.(name, own, context.directory)) ?? own;
  const failed = Promise.withResolvers<LocalError>();
  const start = async (): Promise<ManagedProcess> => {
    const started = await run(kind, plan, context, options);
    void started.failed.then((fault) => {
      failed.resolve(fault);
      options.onExit?.(fault);
    });
    return started;
  };
  const { current, stop, restart } = restartable(await start());
  const { pid, logFile } = current();
  options.progress(`${name}: ready on 127.0.0.1:${options.port} (process ${pid}, log ${logFile})`);
  return {
    name: kind.name,
    source: "native",
    url: kind.url(options.port),
    pid: () => current().pid,
    directory: context.directory,
    stop,
    kill: () => current().kill(),
    pause: async () => current().pause(),
    resume: async () => current().resume(),
    restart: async () => void (await restart(start)),
    failed: failed.promise,
  };
}

async function run(
  kind: ServerKind,
  plan: Launch,
  context: LaunchContext,
  options: NativeOptions,
): Promise<ManagedProcess> {
  const { name = kind.name } = options;
  const process = await startProcess({
    ...plan,
    name,
    cwd: context.directory,
    dataDirectory: options.dataDirectory,
    logFile: join(options.dataDirectory, "logs", `${name}.log`),
  });
  try {
    await waitFor({
      what: `${name}: waiting for ${kind.awaited}`,
      attempt: () => kind.probe(kind.url(context.port), { port: context.port }),
      timeoutMs: 120_000,
      progress: options.progress,
      check: () => process.check(),
      timedOut: (cause) =>
        new LocalError(
          `${name} was not ready within 2 minutes.`,
          `The machine may be overloaded: try again. The log is ${process.logFile}. Its last lines:\n${lastLines(process.logFile, 8)}`,
          { cause },
        ),
    });
    return process;
  } catch (error) {
    await process.kill();
    throw error;
  }
}

function assertNotRunning(name: string, options: NativeOptions): void {
  const running = readRunning(options.dataDirectory, name);
  if (running === undefined) return;
  throw new LocalError(
    `${name} already runs on ${options.dataDirectory} (process ${running.pid}).`,
    "Use that run, or stop it with `npm run stop`.",
  );
}
