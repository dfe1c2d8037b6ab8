import { type EventType, eventTypes } from "@asset-register/proto/event-types";
import { encodeFeedCursor, type FeedPlace, feedMark } from "@asset-register/proto/feed-cursor";
import { holds, type Principal } from "@asset-register/rpc";
import { type Message, messageId } from "../webhooks/message.ts";

/** Something that happened in a workspace, before it has its place in the feed. */
export type NewFeedEntry = {
  /** The same as of the message to webhooks, so that the same event always gives the same entry. */
  id: string;
  workspaceId: string;
  type: string;
  timestamp: Date;
  /** The JSON text of the data, byte for byte as webhooks get it. */
  data: string;
  /** The asset that the data name. */
  assetId?: string | undefined;
};

/** An entry of the feed. `seq` counts the entries of the workspace from 1, without gaps. */
export type FeedEntry = NewFeedEntry & { seq: number; insertedAt: Date };

/** The newest entry of a workspace, and the oldest one that is kept. */
export type FeedHead = {
  /** The workspace's. */
  id: string;
  workspaceId: string;
  /** 0 before the first entry. */
  seq: number;
  /** Absent before the first entry. */
  lastId?: string | undefined;
  /** Entries before it are removed, or will be soon. */
  firstSeq: number;
  /** When `firstSeq` was raised. */
  firstSeqAt?: Date | undefined;
};

/** A workspace without entries. */
export const emptyHead = (workspaceId: string): FeedHead => ({
  ...{ id: workspaceId, workspaceId, seq: 0, firstSeq: 1 },
});

export function feedEntryOf(message: Message): NewFeedEntry {
  const { workspaceId, type, time, data } = message;
  const { asset_id: assetId } = data;
  return {
    ...{ id: messageId(message), workspaceId, type, timestamp: time, data: JSON.stringify(data) },
    ...(typeof assetId === "string" && { assetId }),
  };
}

/** The place of an entry: whoever reads on from it has seen the entry and all before it. */
export const placeOf = ({
  workspaceId,
  seq,
  id,
}: Pick<FeedEntry, "workspaceId" | "seq" | "id">): FeedPlace => ({
  ...{ workspaceId, seq, mark: feedMark(id) },
});

/** The place of the newest entry, or the one before the first entry. */
export const placeOfHead = ({ workspaceId, seq, lastId }: FeedHead): FeedPlace =>
  lastId === undefined ? { workspaceId, seq: 0, mark: "" } : placeOf({ workspaceId, seq, id: lastId });

export const cursorOfHead = (head: FeedHead): string => encodeFeedCursor(placeOfHead(head));

/** The types that a caller may see. Undefined: all, those of later releases too. */
export function visibleTypes(principal: Principal): EventType[] | undefined {
  if (principal.kind === "api_key" || principal.kind === "service") return undefined;
  const types = Object.keys(eventTypes) as EventType[];
  const visible = types.filter((type) => holds(principal, eventTypes[type]));
  return visible.length === types.length ? undefined : visible;
}
