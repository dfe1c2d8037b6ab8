import { lockPage, type Republish, type RepublishModule } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { existing } from "./operations/know-statuses.ts";
import { assetState, recordState } from "./published.ts";
import { assetStore } from "./store/assets.ts";
import { organisationStore } from "./store/organisation.ts";
import { statusStore } from "./store/statuses.ts";

type Thing = { workspaceId: string; id: string };

const asset: Republish = async (request) => {
  const { mongo, session } = request;
  const { things, next } = await lockPage("assets", request);
  const assets = assetStore(mongo);
  const statuses = statusStore(mongo);
  const events = [];
  for (const [workspaceId, ids] of byWorkspace(things)) {
    const known = new Map((await statuses.list(workspaceId)).map((status) => [status.id, status]));
    for (const each of await assets.getAll(workspaceId, ids, session)) {
      const status = existing(known.get(each.statusId), workspaceId, each.statusId);
      events.push(assetState(each, status.class));
    }
  }
  return { events, next };
};

const organisation: Republish = async (request) => {
  const { mongo, session } = request;
  const { things, next } = await lockPage("organisation", request);
  const records = organisationStore(mongo);
  const events = [];
  for (const [workspaceId, ids] of byWorkspace(things)) {
    events.push(...(await records.getAll(workspaceId, ids, session)).map(recordState));
  }
  return { events, next };
};

function byWorkspace(things: Thing[]): Map<string, string[]> {
  const groups = Map.groupBy(things, ({ workspaceId }) => workspaceId);
  return new Map([...groups].map(([workspaceId, group]) => [workspaceId, group.map(({ id }) => id)]));
}

/** What `events republish` sends anew: the current state of all, the deleted ones included. */
export const republish: RepublishModule["republish"] = {
  [topics.asset.name]: asset,
  [topics.organisation.name]: organisation,
};
