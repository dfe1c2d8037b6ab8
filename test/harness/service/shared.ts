type Stoppable = { stop(): Promise<void> };
type Start = (now: () => Date) => Promise<Stoppable>;

/** The service that this worker shares. A worker runs one test file at a time, and keeps its modules between them. */
let current: { start: Start; running: Promise<Stoppable> } | undefined;
let clock = (): Date => new Date();

/**
 * A service that is started once for all test files of a worker that follow each other. Each file has workspaces of its
 * own, and a clock that it may set. The service of the files before is stopped, since an idle one uses CPU time too.
 *
 * A test that kills or configures a service, fills its database or counts across workspaces starts one of its own.
 */
export const sharedService =
  <T extends Stoppable>(start: (now: () => Date) => Promise<T>) =>
  (now = (): Date => new Date()): Promise<Omit<T, "stop">> => {
    clock = now;
    if (current?.start !== start) current = { start, running: replace(current?.running, start) };
    // The cast: `running` is what this `start` has started.
    return current.running as Promise<T>;
  };

async function replace<T>(
  before: Promise<Stoppable> | undefined,
  start: (now: () => Date) => Promise<T>,
): Promise<T> {
  await (await before)?.stop();
  return start(() => clock());
}
