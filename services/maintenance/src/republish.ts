import { type RepublishModule, republishRecords } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { contractState } from "./published.ts";
import { contractRecords, createContractStore } from "./store/contracts.ts";

const contracts = republishRecords(contractRecords.collection, async (mongo, workspaceId, ids, session) =>
  [...(await createContractStore(mongo).getMany(workspaceId, ids, session)).values()].map((contract) =>
    contractState(contract, new Date()),
  ),
);

/** The present state of all records, for `events republish`. */
export const republish: RepublishModule["republish"] = { [topics.contract.name]: contracts };
