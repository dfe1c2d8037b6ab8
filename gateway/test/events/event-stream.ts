import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

export type StreamEvent = { id?: string; event?: string; data?: unknown };

/** A client of an event stream, which reads as the specification of server-sent events says. */
export type EventStream = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The events with data so far. */
  events: StreamEvent[];
  /** The newest id, also of blocks without data. */
  lastId(): string | undefined;
  comments(): number;
  /** The text so far. */
  text(): string;
  /** Resolves when the server has ended the stream; rejects when the connection was closed without an end. */
  ended: Promise<void>;
  close(): void;
};

/** Opens a stream, and reads it until it is closed. */
export async function openStream(
  url: string,
  credential: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const asked = request(url, {
    agent: false,
    headers: { authorization: `Bearer ${credential}`, ...headers },
  });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const events: StreamEvent[] = [];
  let [text, rest, lastId, comments] = ["", "", undefined as string | undefined, 0];
  const ended = (async () => {
    for await (const chunk of response) {
      text += String(chunk);
      rest += String(chunk);
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parse(block);
        lastId = event.id ?? lastId;
        if (block.startsWith(":")) comments += 1;
        if (event.data !== undefined) events.push(event);
      }
    }
  })();
  ended.catch(() => undefined);
  return {
    ...{ status: response.statusCode ?? 0, headers: response.headers, events, ended },
    text: () => text,
    lastId: () => lastId,
    comments: () => comments,
    close: () => void asked.destroy(),
  };
}

function parse(block: string): StreamEvent {
  const fields = block.split("\n").map((line) => /^(id|event|data): (.*)$/.exec(line));
  const value = (name: string) => fields.find((found) => found?.[1] === name)?.[2];
  const [id, event, data] = ["id", "event", "data"].map(value);
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(data !== undefined && { data: JSON.parse(data) }),
  };
}
