/**
 * Of one message, both ways; grpc-js' own 4 MiB are less than what sixteen
 * requests of 1 MiB, and the answers to each of their events, can come to.
 */
export const MAX_MESSAGE_BYTES = 16 * 1_048_576;

/** For servers and channels. */
export const MESSAGE_SIZE_OPTIONS = {
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
};
