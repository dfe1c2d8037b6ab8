import { defineRecords } from "@asset-register/mongo";
import { defineProjection } from "../src/index.ts";
import { state } from "./support-topics.ts";

export type Thing = { id: string; workspaceId: string; name: string; place?: string | undefined };

export const thingRecords = defineRecords<Thing, { touches: number }>({
  collection: "things",
  name: "thing",
  fields: { name: String, place: String },
  beside: { touches: Number },
  indexes: [],
});

/** An example: things that have a name. */
export const thingProjection = defineProjection({
  topic: state,
  records: thingRecords,
  decode: ({ name, locationId }) => (name ? { name, place: locationId } : undefined),
  tombstone: "remove",
});
