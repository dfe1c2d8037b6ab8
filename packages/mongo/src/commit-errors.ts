import mongoose from "mongoose";
import type { ClientSession } from "./mongo.ts";

const { MongoError, MongoNetworkError } = mongoose.mongo;

/**
 * Gives every failed commit an error with labels. `withTransaction` calls `hasErrorLabel` on the error of a
 * commit. The error of a socket that closed during a write lacks this method, so it would end as a TypeError.
 * Here it becomes a commit with an unknown outcome, which the driver sends again.
 */
export function labelCommitErrors(session: ClientSession): void {
  const commit = session.commitTransaction;
  session.commitTransaction = async (options) => {
    try {
      await commit.call(session, options);
    } catch (error) {
      if (error instanceof MongoError) throw error;
      const unknown = new MongoNetworkError("The connection ended during a commit", {
        cause: asError(error),
      });
      unknown.addErrorLabel("UnknownTransactionCommitResult");
      throw unknown;
    }
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
