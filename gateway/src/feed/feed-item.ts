import type { FeedEntry } from "@asset-register/proto/assetregister/notification/v1/feed_pb";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { required } from "../http/required.ts";

/** A place in the feed of a workspace: after the entry with this seq. */
export type FeedPlace = { seq: number; cursor: string };

/** An entry of the feed, as it is kept and sent: its text is made once for all clients. */
export type FeedItem = FeedPlace & {
  type: string;
  assetId: string | undefined;
  /** The entry as an event of a stream. */
  frame: Buffer;
  /** Where the JSON text of the entry begins in `frame`. */
  textAt: number;
};

const END_OF_FRAME = "\n\n";

/** Converts an entry. `data` goes through unchanged: it is the text that webhooks get. */
export function toFeedItem(entry: FeedEntry): FeedItem {
  const { id, type, workspaceId, data, cursor, seq, assetId } = entry;
  const timestamp = timestampDate(required(entry.timestamp)).toISOString();
  const head = JSON.stringify({ id, type, timestamp, workspace_id: workspaceId });
  const text = `${head.slice(0, -1)},"data":${data},"cursor":${JSON.stringify(cursor)}}`;
  const before = `id: ${cursor}\nevent: ${type}\ndata: `;
  return {
    ...{ seq: Number(seq), cursor, type, assetId },
    frame: Buffer.from(before + text + END_OF_FRAME),
    textAt: Buffer.byteLength(before),
  };
}

/** The JSON text of an entry. */
export const textOf = ({ frame, textAt }: FeedItem): string =>
  frame.toString("utf8", textAt, frame.length - END_OF_FRAME.length);
