import type {
  FeedEntrySchema,
  FeedHeadSchema,
} from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { encodeFeedCursor } from "@asset-register/proto/feed-cursor";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { cursorOfHead, type FeedEntry, type FeedHead, placeOf } from "../domain/feed/feed-entry.ts";

export function encodeFeedEntry(entry: FeedEntry): MessageInitShape<typeof FeedEntrySchema> {
  const { id, type, timestamp, workspaceId, seq, data, assetId } = entry;
  return {
    ...{ id, type, workspaceId, data, assetId, seq: BigInt(seq) },
    timestamp: timestampFromDate(timestamp),
    cursor: encodeFeedCursor(placeOf(entry)),
  };
}

export function encodeFeedHead(head: FeedHead): MessageInitShape<typeof FeedHeadSchema> {
  const { workspaceId, seq } = head;
  return { workspaceId, seq: BigInt(seq), cursor: cursorOfHead(head) };
}
