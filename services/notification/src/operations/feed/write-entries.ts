import type { Mongo } from "@asset-register/mongo";
import { sleep } from "@asset-register/runtime";
import type { AnnounceEntries } from "../../feed/news.ts";
import { type Additions, type Appending, appendEntries } from "./append-entries.ts";

/** Adds entries in one transaction, and reports the newest ones to the gateways when it is committed. */
export async function writeEntries(
  context: Appending & { mongo: Mongo; announce: AnnounceEntries },
  additions: readonly Additions[],
): Promise<void> {
  let attempts = 0;
  const added = await context.mongo.transaction({}, async (session) => {
    // Another process adds entries. The wait is random, so that the two do not meet again.
    if (attempts > 0) await sleep(2 + Math.random() * 18);
    attempts += 1;
    return appendEntries(context, additions, session);
  });
  const newest = new Map(added.map(({ workspaceId, seq }) => [workspaceId, seq]));
  for (const [workspaceId, seq] of newest) context.announce({ workspaceId, seq });
}
