export type Ending = {
  /** Resolves with the signal's name at the first SIGINT, SIGTERM or SIGHUP. */
  asked: Promise<string>;
  /** Throws if the end was asked for: to leave a start that is under way. */
  signal: AbortSignal;
};

/**
 * Listens for the end. The second signal calls `force`: whoever presses Ctrl-C
 * twice wants no order any more.
 */
export function listenForEnd(force: () => void): Ending {
  const controller = new AbortController();
  const asked = new Promise<string>((resolve) => {
    let count = 0;
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(name, () => {
        count += 1;
        if (count === 1) {
          resolve(name);
          controller.abort(new Error(`ended by ${name}`));
        } else force();
      });
  });
  return { asked, signal: controller.signal };
}
