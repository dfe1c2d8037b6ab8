type Turns = {
  /** The workspaces that have work now. */
  list(): Promise<readonly string[]>;
  /** The work of a workspace. It yields after each part, which takes about a second at most. */
  begin(workspaceId: string): AsyncGenerator<void, void>;
  /** While work goes on, workspaces are listed again after so many milliseconds. */
  everyMs: number;
  signal: AbortSignal;
  onError(error: unknown, workspaceId: string): void;
};

/**
 * Does the work of workspaces in turns of one part, until none is left. A workspace with much work does not delay the
 * others: theirs is begun when it is due, and waits for one part of each. A failure ends the work of its workspace only.
 */
export async function takeTurns({ list, begin, everyMs, signal, onError }: Turns): Promise<void> {
  const active = new Map<string, AsyncGenerator<void, void>>();
  let listedAt = Number.NEGATIVE_INFINITY;
  do {
    if (performance.now() - listedAt >= everyMs) {
      listedAt = performance.now();
      for (const id of await list()) if (!active.has(id)) active.set(id, begin(id));
    }
    for (const [workspaceId, work] of active) {
      if (signal.aborted) return;
      try {
        if ((await work.next()).done) active.delete(workspaceId);
      } catch (error) {
        active.delete(workspaceId);
        onError(error, workspaceId);
      }
    }
  } while (active.size > 0);
}
