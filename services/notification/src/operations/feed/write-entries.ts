import type { Mongo } from "@asset-register/mongo";
import { sleep } from "@asset-register/runtime";
import type { AnnounceEntries } from "../../feed/news.ts";
import type { MakeEntries } from "../../feed/queue.ts";
import { type Appending, appendEntries } from "./append-entries.ts";

/** Adds entries in one transaction, in order, and reports the newest one to the gateways when it is committed. */
export async function writeEntries(
  context: Appending & { mongo: Mongo; announce: AnnounceEntries },
  workspaceId: string,
  additions: readonly { make: MakeEntries }[],
): Promise<void> {
  let attempts = 0;
  const newest = await context.mongo.transaction({}, async (session) => {
    // Another process adds entries. The wait is random, so that the two do not meet again.
    if (attempts > 0) await sleep(2 + Math.random() * 18);
    attempts += 1;
    const make: MakeEntries = async (within) => {
      const entries = [];
      for (const addition of additions) entries.push(...(await addition.make(within)));
      return entries;
    };
    return appendEntries(context, workspaceId, make, session);
  });
  if (newest !== undefined) context.announce({ workspaceId, seq: newest.seq });
}
