/** The place of an entry in the event feed of its workspace. Services and the gateway use this code. */
export type FeedPlace = {
  workspaceId: string;
  /** 0 is the place before the first entry. */
  seq: number;
  /** `feedMark` of the entry. Empty before the first entry. */
  mark: string;
};

const PREFIX = "msg_";
const MARK_LENGTH = 8;
/** `wsp_` and 26 characters. */
const MAX_WORKSPACE_ID = 64;

/** 40 bits of an entry's id: after a restore another entry has the same seq, but another mark. */
export const feedMark = (entryId: string): string =>
  entryId.slice(PREFIX.length, PREFIX.length + MARK_LENGTH);

/** Encodes a place as an opaque text. */
export function encodeFeedCursor({ workspaceId, seq, mark }: FeedPlace): string {
  return Buffer.from(JSON.stringify([workspaceId, seq, mark]), "utf8").toString("base64url");
}

/** Decodes a text that encodeFeedCursor made for this workspace. Undefined for any other text. */
export function decodeFeedCursor(workspaceId: string, cursor: string): FeedPlace | undefined {
  const place = parse(cursor);
  // The decoder ignores unknown characters, so only the exact encoding of the place is accepted.
  if (place === undefined || encodeFeedCursor(place) !== cursor) return undefined;
  return place.workspaceId === workspaceId ? place : undefined;
}

function parse(cursor: string): FeedPlace | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [workspaceId, seq, mark]: unknown[] = parts;
  if (typeof workspaceId !== "string" || workspaceId.length > MAX_WORKSPACE_ID) return undefined;
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 0) return undefined;
  if (typeof mark !== "string" || mark.length !== (seq === 0 ? 0 : MARK_LENGTH)) return undefined;
  return { workspaceId, seq, mark };
}
