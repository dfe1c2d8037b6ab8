import type { ListSightingsRequest } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { SightingPlace } from "../store/presence/sightings.ts";

/** The text of a place: the day and the id, which have no space. */
export const encodePlace = ({ day, id }: SightingPlace): string => `${day} ${id}`;

const place = z
  .string()
  .regex(/^\S+ \S+$/, "is not a cursor of this list")
  .transform((text): SightingPlace => {
    const [day = "", id = ""] = text.split(" ");
    return { day, id };
  });

const list = z.object({
  workspaceId: field.id(),
  from: field.instant(),
  to: field.instant(),
  cursor: place.optional(),
  limit: field.integer({ max: limits.ids }),
});

export function decodeListSightings(request: ListSightingsRequest): {
  workspaceId: string;
  from: Date;
  to: Date;
  after: SightingPlace | undefined;
  limit: number;
} {
  const { cursor: after, limit, ...query } = parse(list, request);
  return { ...query, after, limit: limit || limits.ids };
}
