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
