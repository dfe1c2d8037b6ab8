/** A query or a write that does not name one workspace. A mistake of the program, never of its caller. */
export class TenantGuardError extends Error {
  override readonly name = "TenantGuardError";
  readonly collection: string;
  readonly operation: string;

  constructor(collection: string, operation: string, reason: string) {
    super(`${collection}.${operation}: ${reason}`);
    this.collection = collection;
    this.operation = operation;
  }
}

/** Ends a check. The collection and the operation are known to whoever made it. */
export type Refuse = (reason: string) => never;
