import { type RepublishModule, republishRecords } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { readerState, tagState, zoneUpdated } from "./published.ts";
import { createReaderStore } from "./store/readers/readers.ts";
import { createTagStore } from "./store/tags/tags.ts";
import { createZoneStore } from "./store/zones/zones.ts";

const tags = republishRecords("tags", async (mongo, workspaceId, ids, session) => {
  const found = await createTagStore(mongo).getMany(workspaceId, ids, session);
  // A tag that was never bound was never published.
  const published = [...found.values()].filter(({ assetId, rev }) => assetId !== undefined || rev > 1);
  return published.map((tag) => tagState(tag, new Date()));
});

const zones = republishRecords("zones", async (mongo, workspaceId, ids, session) =>
  [...(await createZoneStore(mongo).getMany(workspaceId, ids, session)).values()].map((zone) =>
    zoneUpdated(zone, new Date()),
  ),
);

const readers = republishRecords("readers", async (mongo, workspaceId, ids, session) =>
  [...(await createReaderStore(mongo).getMany(workspaceId, ids, session)).values()].map((reader) =>
    readerState(reader, new Date()),
  ),
);

/** The present state of all records, for `events republish`. */
export const republish: RepublishModule["republish"] = {
  [topics.tag.name]: tags,
  [topics.zone.name]: zones,
  [topics.reader.name]: readers,
};
