/**
 * A function that is made when it is first called. Compiling the schemas of all routes takes a second, and a process
 * needs few of them in its first minutes. Each takes a few milliseconds of the first request that needs it.
 */
export function whenCalled<A extends unknown[], R>(make: () => (...args: A) => R): (...args: A) => R {
  let made: ((...args: A) => R) | undefined;
  return (...args) => {
    made ??= make();
    return made(...args);
  };
}
