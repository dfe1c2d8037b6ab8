import mongoose from "mongoose";
import type { ClientSession } from "./mongo.ts";

const { MongoError, MongoNetworkError } = mongoose.mongo;

/**
 * `withTransaction` asks the error of a commit for its labels. That of a socket which ended while it was
 * written to has none, not even the method, and would end as a TypeError. Here it becomes what it is: a
 * commit whose outcome is not known, which the driver sends again.
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
