import type { Read, Sink } from "../input.ts";

/** The content of one message of a reader. Both lists are empty when it says only that the reader is alive. */
export type Parsed = {
  reads: Read[];
  /** Why an entry is no read: one sentence for each such entry. */
  unreadable: string[];
};

/** Understands the messages of one format. It never throws or rejects: what it can't use is `unreadable`. */
export type Parser = (body: Buffer, contentType?: string) => Parsed | Promise<Parsed>;

/** A read, a reason why the entry is none, or undefined for an entry that is about no tag (a heartbeat). */
export type Entry = Read | string | undefined;

export function collect(entries: readonly Entry[]): Parsed {
  const parsed: Parsed = { reads: [], unreadable: [] };
  for (const entry of entries) {
    if (typeof entry === "string") parsed.unreadable.push(entry);
    else if (entry !== undefined) parsed.reads.push(entry);
  }
  return parsed;
}

/** Hands a message to the sink. It resolves when the reads are durable, and rejects as `accept` does. */
export async function deliver({ reads, unreadable }: Parsed, sink: Sink): Promise<void> {
  if (reads.length > 0) await sink.accept(reads);
  else sink.heard();
  for (const reason of unreadable) sink.unreadable(reason);
}
