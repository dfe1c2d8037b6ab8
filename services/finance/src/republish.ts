import { type RepublishModule, republishRecords } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { bookStateOf } from "./published.ts";
import { bookStateRecords, createBookStateStore } from "./store/ledger/book-states.ts";

const bookStates = republishRecords(bookStateRecords.collection, async (mongo, workspaceId, ids, session) => {
  const states = await createBookStateStore(mongo).getMany(workspaceId, ids, session);
  return [...states.values()].map((state) => bookStateOf(state, new Date()));
});

/** The present state of all records, for `events republish`. */
export const republish: RepublishModule["republish"] = { [topics.depreciation.name]: bookStates };
