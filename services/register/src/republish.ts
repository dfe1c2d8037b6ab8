import { type RepublishModule, republishRecords } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { existing } from "./operations/assets/statuses.ts";
import { assetState, recordState } from "./published.ts";
import { createAssetStore } from "./store/assets/assets.ts";
import { createStatusStore } from "./store/assets/statuses.ts";
import { createOrganisationStore } from "./store/organisation/organisation.ts";

const assets = republishRecords("assets", async (mongo, workspaceId, ids, session) => {
  const statuses = await createStatusStore(mongo).list(workspaceId);
  const byId = new Map(statuses.map((status) => [status.id, status]));
  return (await createAssetStore(mongo).getAll(workspaceId, ids, session)).map((asset) =>
    assetState(asset, existing(byId.get(asset.statusId), workspaceId, asset.statusId)),
  );
});

const organisation = republishRecords("organisation", async (mongo, workspaceId, ids, session) =>
  (await createOrganisationStore(mongo).getAll(workspaceId, ids, session)).map(recordState),
);

/** The present state of all records, also of deleted ones, for `events republish`. */
export const republish: RepublishModule["republish"] = {
  [topics.asset.name]: assets,
  [topics.organisation.name]: organisation,
};
