import { lockPage, type OutgoingEvent, type Republish, type RepublishModule } from "@asset-register/events";
import type { ClientSession, Mongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { readerEvent, tagEvent, zoneEvent } from "./published.ts";
import { createReaderStore } from "./store/readers.ts";
import { createTagStore } from "./store/tags.ts";
import { createZoneStore } from "./store/zones.ts";

type Load = (
  mongo: Mongo,
  thing: { workspaceId: string; id: string },
  session: ClientSession,
) => Promise<OutgoingEvent | undefined>;

/** The current state of a page of things, as events. */
function pages(collection: string, load: Load): Republish {
  return async (request) => {
    const { things, next } = await lockPage(collection, request);
    const events: OutgoingEvent[] = [];
    for (const thing of things) {
      const event = await load(request.mongo, thing, request.session);
      if (event !== undefined) events.push(event);
    }
    return { events, next };
  };
}

const tags: Load = async (mongo, { workspaceId, id }, session) => {
  const tag = await createTagStore(mongo).get(workspaceId, id, session);
  // A tag that was only read, and never bound, was never published.
  if (tag === undefined || (tag.assetId === undefined && tag.rev === 1)) return undefined;
  return tagEvent(tag, tag.assetId === undefined ? "" : undefined, new Date());
};

const zones: Load = async (mongo, { workspaceId, id }, session) => {
  const zone = await createZoneStore(mongo).get(workspaceId, id, session);
  return zone === undefined ? undefined : zoneEvent(zone, "updated", new Date());
};

const readers: Load = async (mongo, { workspaceId, id }, session) => {
  const reader = await createReaderStore(mongo).get(workspaceId, id, session);
  if (reader === undefined) return undefined;
  return readerEvent(reader, reader.status === "revoked" ? "revoked" : "updated", new Date());
};

/** What the tools send again from the store, by topic. */
export const republish: RepublishModule["republish"] = {
  [topics.tag.name]: pages("tags", tags),
  [topics.zone.name]: pages("zones", zones),
  [topics.reader.name]: pages("readers", readers),
};
