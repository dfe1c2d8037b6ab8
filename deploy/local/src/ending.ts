/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. The second calls `force`:
 * whoever presses Ctrl-C twice wants no order any more.
 */
export function listenForEnd(force: () => void): Promise<void> {
  return new Promise((resolve) => {
    let first = true;
    const end = () => {
      if (!first) return force();
      first = false;
      resolve();
    };
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, end);
  });
}
