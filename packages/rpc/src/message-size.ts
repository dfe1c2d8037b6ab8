import { max_request_bytes } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import type { ServerInterceptingCallInterface } from "@grpc/grpc-js";

/**
 * Maximum size of one message, in both directions. The default of grpc-js, 4 MiB,
 * is too small for a batch of sixteen requests of 1 MiB, and for the answers to
 * all their events.
 */
export const MAX_MESSAGE_BYTES = 16 * 1_048_576;

/** Options of servers and channels. */
export const MESSAGE_SIZE_OPTIONS = {
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
};

/** Of requests that everybody may send: health and reflection, which name a service or a symbol. */
export const OPEN_REQUEST_BYTES = 4096;

/** A chunk of an upload has 64 KiB. 1000 ids with 64 characters have 66 KiB. */
const DEFAULT_REQUEST_BYTES = 128 * 1024;

/** Maximum size of a request message of this method: its option `max_request_bytes`. */
export function maxRequestBytesOf(method: DescMethod): number {
  return hasOption(method, max_request_bytes) ? getOption(method, max_request_bytes) : DEFAULT_REQUEST_BYTES;
}

type Limited = { maxReceiveMessageSize: unknown; decoder: { maxReadMessageLength: unknown } };

/**
 * Limits the messages that a call receives. grpc-js refuses a larger one with RESOURCE_EXHAUSTED as soon as it has read
 * its length. It has an option for all methods of a server only, so this sets the two fields that the option sets.
 *
 * @throws Error if a new version of grpc-js has other fields
 */
export function limitMessages(call: ServerInterceptingCallInterface, bytes: number): void {
  const limited: object & Partial<Limited> = call;
  const { decoder, maxReceiveMessageSize } = limited;
  if (typeof maxReceiveMessageSize !== "number" || typeof decoder?.maxReadMessageLength !== "number") {
    throw new Error("grpc-js has no limit of messages where it was expected.");
  }
  limited.maxReceiveMessageSize = bytes;
  decoder.maxReadMessageLength = bytes;
}
