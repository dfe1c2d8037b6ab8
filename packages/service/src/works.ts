/**
 * Completes the context of a service with its long works. Their steps get the same context as every operation, which
 * contains the works, so `create` gets it before they exist: it must pass the context on, and use no work itself.
 */
export function withWorks<C extends object, W extends object>(
  context: C,
  create: (context: C & W) => W,
): C & W {
  // The one place where a context lacks its works; `create` fills it before anything runs.
  const complete = context as C & W;
  return Object.assign(complete, create(complete));
}
