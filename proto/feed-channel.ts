/** The channel of Redis on which services report new entries of the event feed, and on which gateways listen. */
export const FEED_CHANNEL = "asset-register:feed";

/** The newest entry of a workspace. Nothing depends on its delivery: gateways also ask for heads once a second. */
export type FeedNews = { workspaceId: string; seq: number };

/** Encodes the message of the channel. */
export const encodeFeedNews = ({ workspaceId, seq }: FeedNews): string => `${seq} ${workspaceId}`;

/** Decodes a message of the channel. Undefined for any other text. */
export function decodeFeedNews(text: string): FeedNews | undefined {
  const [, seq, workspaceId] = /^(\d{1,15}) (\S{1,64})$/.exec(text) ?? [];
  return workspaceId === undefined ? undefined : { workspaceId, seq: Number(seq) };
}
