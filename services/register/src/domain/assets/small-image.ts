/** The versions of an image for small places. Both are WebP. */
export type SmallImage = {
  content: Uint8Array;
  /** Of the content, in hex. */
  sha256: string;
  /** Absent if none is small enough (limits.thumbnailBytes). */
  thumbnail?: Uint8Array | undefined;
};

/** An image is decoded up to this size. Larger ones are stored, but have no small image. */
export const MAX_DECODED_BYTES = 20 * 1_048_576;
/** A decoded pixel takes 3 or 4 bytes. */
export const MAX_DECODED_PIXELS = 50_000_000;
