import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { fullNameOf } from "../access.ts";

type PartOf<Request> = Request extends { part?: infer Part } ? NonNullable<Part> : never;
type ValueOf<Part> = Extract<Part, { case: "header" }> extends { value: infer Header } ? Header : never;

/** The header of an upload, as a handler gets it. */
export type HeaderOf<D extends DescMessage> = ValueOf<PartOf<MessageShape<D>>>;
/** The header of an upload, as a caller gives it. */
export type HeaderInitOf<D extends DescMessage> = ValueOf<PartOf<MessageInitShape<D>>>;

/** Bytes of content in one message. */
export const CHUNK_BYTES = 64 * 1024;

/**
 * The messages of an upload. The first is the header. Chunks follow. The last message is an empty chunk, or a header with
 * the fields that the caller got after the content: without it, the server could not tell an upload that broke off from
 * a complete one, because both end the HTTP/2 stream.
 */
export type UploadMessage = {
  part:
    | { case: "header"; value: object }
    | { case: "chunk"; value: Uint8Array }
    | { case: undefined; value?: undefined };
};

/**
 * Returns the header's message of a client-streaming method.
 *
 * @throws Error with the name of the method, if its request is not `oneof part { <message> header; bytes chunk; }`
 */
export function headerOf(method: DescMethod): DescMessage {
  const part = method.input.oneofs.find(({ name }) => name === "part");
  const header = part?.fields.find(({ name }) => name === "header");
  const names = method.input.fields.map(({ name }) => name).join(" ");
  if (header?.fieldKind !== "message" || names !== "header chunk" || part?.fields.length !== 2) {
    const form = "oneof part { <message> header; bytes chunk; }";
    throw new Error(`${fullNameOf(method)} is an upload, so its request must be ${form}.`);
  }
  return header.message;
}
