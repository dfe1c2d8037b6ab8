import type {
  ListAssetSightingsRequest,
  ListReaderReadsRequest,
  ListTagReadsRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { field, type PageQuery, pageRequest, parse } from "@asset-register/rpc";
import { z } from "zod";
import { type TimeSpan, timeSpan } from "../domain/presence/time-span.ts";

/** The record whose reads or sightings are listed, the time, and the part of the list. */
export type ListInTime = { id: string; span: TimeSpan; page: PageQuery };

const listInTime = z.object({
  id: field.id(),
  from: field.optionalInstant(),
  to: field.optionalInstant(),
});

export function decodeListInTime(
  request: ListAssetSightingsRequest | ListReaderReadsRequest | ListTagReadsRequest,
  now: Date,
): ListInTime {
  const { id, ...asked } = parse(listInTime, request);
  return { id, span: timeSpan(asked, now), page: pageRequest(request.page) };
}
