import { type Parameter, readParameters } from "./codec.ts";
import { TLV } from "./protocol.ts";

/** What a READER_EVENT_NOTIFICATION says. */
export type ReaderEvent = {
  /** Of the first notification of a connection: why it is refused, or null if it is accepted. */
  refused?: string | null | undefined;
  /** Reads were lost, or soon will be. */
  problems: string[];
};

/** Of ConnectionAttemptEvent. */
const REFUSALS: Readonly<Record<number, string>> = {
  1: "The reader is connected to another client that it called itself.",
  2: "The reader is connected to another client.",
  3: "The reader refuses the connection.",
  4: "Another client tried to connect.",
};

/** @throws LlrpError if a parameter is cut off */
export function parseReaderEvent(body: Buffer): ReaderEvent {
  const data = readParameters(body).find(({ type }) => type === TLV.readerEventNotificationData);
  const events = data === undefined ? [] : readParameters(data.value);
  const attempt = events.find(({ type }) => type === TLV.connectionAttempt);
  return { refused: attempt && refusalOf(attempt), problems: events.flatMap(problemOf) };
}

function refusalOf({ value }: Parameter): string | null {
  const status = value.length < 2 ? 3 : value.readUInt16BE();
  return status === 0 ? null : (REFUSALS[status] ?? `The reader refuses the connection (${status}).`);
}

function problemOf({ type, value }: Parameter): string[] {
  switch (type) {
    case TLV.reportBufferOverflow:
      return ["The reader's own buffer was full: it has lost reads."];
    case TLV.reportBufferLevelWarning:
      return [`The reader's own buffer is filled to ${value.at(0) ?? "?"}%.`];
    case TLV.readerException:
      return [`The reader reports an exception: ${textOf(value)}`];
    default:
      return [];
  }
}

/** ReaderExceptionEvent begins with a text in UTF-8 and its length. */
const textOf = (value: Buffer): string =>
  value.length < 2 ? "" : value.subarray(2, 2 + value.readUInt16BE()).toString("utf8");
