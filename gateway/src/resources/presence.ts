import {
  PresentTagSchema,
  ZonePresenceSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/presence_pb";
import Type from "typebox";
import { resource } from "../http/resource.ts";
import { id, instant, like, nullable, unset } from "../http/schemas.ts";

/** A tag that is in a zone now. */
export const presentTag = resource(PresentTagSchema, "PresentTag", {
  tag_id: nullable(id("tag")),
  epc: like("303435FC8803D056D15B963F"),
  asset_id: nullable(id("ast", "Null for an unknown tag")),
  since: instant("When it came"),
  last_read_at: instant("Its last read there"),
  reader_id: id("rdr", "Id of the reader that read it last"),
  flapping: Type.Boolean({
    description: "It moves so often between places that no asset is moved with it",
    examples: [false],
  }),
  confidence: Type.Number({
    description: "How sure it is that the tag is there: 0 to 1. It falls while the tag is not read",
    examples: [0.97],
  }),
  suspended_since: unset(instant("Since when it would have left, but for the silence of its readers")),
});

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });

/** How many are in a zone now. */
export const zonePresence = resource(ZonePresenceSchema, "ZonePresence", {
  zone_id: id("zon"),
  name: like("Loading bay"),
  assets: count("Assets in the zone. Counting stops at 100,000.", 12),
  unknown: count("Tags without an asset in the zone. Counting stops at 100,000.", 1),
  as_of: instant("When it was counted: at most 5 s ago"),
});
