/** 20 MiB to a slow client. */
export const DOWNLOAD_DEADLINE_MS = 300_000;

type Message = { part: { case?: string | undefined; value?: unknown } };

/** The chunks of a download. Reading ends its RPC when it stops early. */
export async function* contentOf(messages: AsyncIterable<Message>): AsyncGenerator<Uint8Array> {
  for await (const { part } of messages) if (part.value instanceof Uint8Array) yield part.value;
}
