import { LocalError } from "./errors.ts";
import type { Progress, RunningServer, ServerKind } from "./types.ts";
import { waitFor } from "./wait.ts";

/**
 * Uses a running server that the environment names. It is never stopped by this process.
 * @throws LocalError if it does not respond within 10 s, or is not usable
 */
export async function useEnvironment(
  kind: ServerKind,
  url: string,
  progress: Progress,
): Promise<RunningServer> {
  let fault: LocalError | undefined;
  await waitFor({
    what: `${kind.name}: waiting for the server of ${kind.variable}`,
    attempt: async () => {
      try {
        await kind.probe(url, undefined);
      } catch (error) {
        // A LocalError is a fault of the server's configuration: waiting does not help.
        if (!(error instanceof LocalError)) throw error;
        fault = error;
      }
    },
    timeoutMs: 10_000,
    progress,
    timedOut: (cause) =>
      new LocalError(
        `The ${kind.name} server of ${kind.variable} does not respond.`,
        `Start it, correct ${kind.variable}, or unset ${kind.variable} to start a new server.`,
        { cause },
      ),
  });
  if (fault !== undefined) throw fault;
  progress(`${kind.name}: using the server of ${kind.variable}`);
  const reject = (verb: string) => async () => {
    throw new LocalError(
      `${kind.name} can't be ${verb}: this process did not start it, ${kind.variable} names it.`,
      `Unset ${kind.variable}, or use source "private", to start a server that can be ${verb}.`,
    );
  };
  return {
    name: kind.name,
    source: "environment",
    url,
    stop: async () => undefined,
    kill: reject("killed"),
    pause: reject("paused"),
    resume: reject("resumed"),
    restart: reject("restarted"),
    // Never resolves: the operator of the server monitors it.
    failed: new Promise(() => undefined),
  };
}
