/** A query or write that does not name one workspace. It is a bug of the program, never an error of the caller. */
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

/** Ends a check with TenantGuardError. It already knows the collection and the operation. */
export type Refuse = (reason: string) => never;
