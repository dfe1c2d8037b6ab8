import {
  AssetSightingSchema,
  ListAssetSightingsRequestSchema,
  ListReaderReadsRequestSchema,
  ListTagReadsRequestSchema,
  SightingChange,
  TagReadSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { id, instant, like, nullable, unset } from "../http/schemas.ts";

const epc = like("303435FC8803D056D15B963F");
const rssi = nullable(Type.Number({ description: "Strongest signal in dBm", examples: [-52] }));
const count = (description: string) => Type.Integer({ description, examples: [2] });
const flag = (description: string) => Type.Boolean({ description, examples: [false] });

const eventId = like("evt_0123456789abcdef0123456789abcdef");

/** Two reads of one EPC that cannot be of one tag. */
export const clone = Type.Object(
  {
    reads: Type.Array(
      Type.Object({
        reader_id: id("rdr"),
        zone_id: nullable(id("zon")),
        location_id: id("loc"),
        property_id: id("prp"),
        at: instant("When it was read: the reader's time, corrected"),
        rssi,
        event_id: eventId,
      }),
      { description: "Both reads by fixed portals, the older one first" },
    ),
    travel_seconds: count("How long the travel takes at least, as it was set then (`/reader-settings`)"),
  },
  { description: "Two reads of one EPC with less time between them than the travel takes" },
);

/** The meaning of reads of a tag on an asset. */
export const assetSighting = resource(AssetSightingSchema, "AssetSighting", {
  sequence: count("Number among the sightings of the asset, as in the topic `sighting`"),
  change: {
    ...enumOf(SightingChange),
    description:
      "`arrived`: it was nowhere before. `moved`: it was in another place. `seen`: at most once a minute and place. `left`: no reader reads it any more. `cloned`: it was read at another property so shortly before that two tags have its EPC.",
  },
  at: instant("When it was read: the reader's time, corrected. Of `left`: the last read."),
  received_at: instant("When the read was received"),
  tag_id: nullable(id("tag")),
  epc,
  reader_id: id("rdr"),
  zone_id: nullable(id("zon", "Id of the zone in which it was read. Null if it left.")),
  location_id: nullable(id("loc", "Id of the location in which it was read")),
  from_zone_id: unset(id("zon", "Id of the zone in which it was before")),
  from_location_id: unset(id("loc", "Id of the location in which it was before")),
  directed: flag("Both zones read it within 60 s, so the direction of the move is known"),
  unconfirmed: flag("Of `seen`: it was read there, but that is not its place"),
  reason: unset(
    Type.String({
      description: "Of `left`: `reader_gone` if its readers were revoked or silent, so nobody could read it",
    }),
  ),
  reads: count("Reads by the same reader within 5 s"),
  rssi,
  event_id: eventId,
  auto_move_location_id: unset(id("loc", "Id of the location to which the register moves the asset")),
  clone: unset(clone),
});

/** An accepted event of a reader. */
export const tagRead = resource(TagReadSchema, "TagRead", {
  id: Type.String({
    description: "The `event_id` in the answer to the reader",
    examples: ["evt_0123456789abcdef0123456789abcdef"],
  }),
  reader_id: id("rdr"),
  epc,
  tag_id: nullable(id("tag", "Id of the tag with this code now")),
  asset_id: nullable(id("ast", "Id of the asset of that tag now. Null for an unknown tag.")),
  at: instant("When it was read: the reader's time, corrected"),
  ts: instant("The reader's time"),
  received_at: instant("When the read was received"),
  antenna: nullable(Type.Integer({ examples: [1] })),
  rssi,
  count: count("Reads put together"),
  late: flag("It came too late to move anything"),
  weak: flag("It was weaker than its read point allows, and moved nothing"),
});

/** The time of a list of reads or sightings. */
export const spanQuery = {
  from: Type.Optional(instant("At this time or later. The default is 90 days before `to`.")),
  to: Type.Optional(instant("Before this time, at most 90 days after `from`. The default is now.")),
};

const span = Type.Object(spanQuery);

export const toAssetSightings = requestMessage(ListAssetSightingsRequestSchema, span);
export const toTagReads = requestMessage(ListTagReadsRequestSchema, span);
export const toReaderReads = requestMessage(ListReaderReadsRequestSchema, span);
