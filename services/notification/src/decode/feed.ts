import type {
  ListEntriesRequest,
  ListHeadsRequest,
  ReadEntriesRequest,
} from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { eventTypesOf } from "@asset-register/proto/event-types";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { ListEntries } from "../operations/feed/list-entries.ts";

const list = z.object({
  after: field.optionalText(limits.cursor),
  types: z
    .array(z.string().refine((filter) => eventTypesOf(filter).length > 0, "is not a type of events"))
    .max(limits.feedTypes, `must name at most ${limits.feedTypes} types`)
    .transform((filters) => [...new Set(filters.flatMap(eventTypesOf))]),
  assetId: field.optionalId(),
  limit: field.integer({ min: 1, max: limits.feedEntries }).default(100),
});

export function decodeListEntries(request: ListEntriesRequest): ListEntries {
  return parse(list, request);
}

const heads = z.object({ workspaceIds: field.ids() });

export function decodeListHeads(request: ListHeadsRequest): string[] {
  return parse(heads, request).workspaceIds;
}

const read = z.object({ workspaceId: field.id(), after: field.text(limits.cursor) });

export function decodeReadEntries(request: ReadEntriesRequest): { workspaceId: string; after: string } {
  return parse(read, request);
}
