import type { Call } from "@asset-register/rpc";
import { csvChunks, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { resultsOf } from "../domain/session.ts";
import { varianceCsv } from "../domain/variance-csv.ts";
import { exportAudit } from "../published.ts";

/** The variances of a session as a CSV file. The export is noted in the audit log. @throws AppError NOT_FOUND */
export async function* exportVariances(
  { mongo, stores, outbox, now }: Context,
  sessionId: string,
  call: Call,
): AsyncGenerator<Uint8Array> {
  const { workspaceId } = call;
  const session = requireFound(await stores.sessions.get(workspaceId, sessionId), "session");
  await mongo.transaction(call, (transaction) =>
    outbox.add(transaction, exportAudit(call, now(), "stocktake.variances_exported", sessionId)),
  );
  const { header, row } = varianceCsv(session);
  async function* batches() {
    for await (const rows of stores.variances.read(workspaceId, resultsOf(session), call))
      yield rows.map(row);
  }
  yield* csvChunks(header, batches());
}
