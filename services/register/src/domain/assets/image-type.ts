/** The media types of images. */
export type ImageType = "image/png" | "image/jpeg" | "image/webp";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/**
 * The type of an image by its first 12 bytes, or undefined. A client's own word for the type is not trusted: browsers
 * would run a page that is declared as an image.
 */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const has = (signature: number[], at = 0) => signature.every((byte, index) => bytes[at + index] === byte);
  if (has(PNG)) return "image/png";
  if (has(JPEG)) return "image/jpeg";
  return has(RIFF) && has(WEBP, 8) ? "image/webp" : undefined;
}
