import { LocalError } from "./errors.ts";
import type { Progress, RunningServer, ServerKind } from "./types.ts";
import { waitFor } from "./wait.ts";

/** A server that someone else runs: it is waited for and never ended. */
export async function useEnvironment(
  kind: ServerKind,
  url: string,
  progress: Progress,
): Promise<RunningServer> {
  let fault: LocalError | undefined;
  await waitFor({
    what: `${kind.name}: waiting for the one that ${kind.variable} names`,
    attempt: async () => {
      try {
        await kind.probe(url, undefined);
      } catch (error) {
        // A fault of the server's set-up does not pass by waiting.
        if (!(error instanceof LocalError)) throw error;
        fault = error;
      }
    },
    timeoutMs: 10_000,
    progress,
    timedOut: (cause) =>
      new LocalError(
        `The ${kind.name} that ${kind.variable} names does not answer.`,
        `Start it, correct ${kind.variable}, or unset it to have one started.`,
        { cause },
      ),
  });
  if (fault !== undefined) throw fault;
  progress(`${kind.name}: using the one that ${kind.variable} names`);
  const refuse = (verb: string) => async () => {
    throw new LocalError(
      `${kind.name} can't be ${verb}: it comes from ${kind.variable} and is not ours.`,
      `Unset ${kind.variable}, or ask for source "private", to have one started that may be ${verb}.`,
    );
  };
  return {
    name: kind.name,
    source: "environment",
    url,
    stop: async () => undefined,
    kill: refuse("killed"),
    pause: refuse("paused"),
    resume: refuse("resumed"),
    restart: refuse("restarted"),
    // Whoever runs it watches it.
    failed: new Promise(() => undefined),
  };
}
