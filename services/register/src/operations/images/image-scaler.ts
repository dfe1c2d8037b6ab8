import { hash } from "node:crypto";
import { limits } from "@asset-register/proto/limits";
import type { Sharp, SharpOptions } from "sharp";
import { MAX_DECODED_PIXELS, type SmallImage } from "../../domain/assets/small-image.ts";

/** Makes small images, one at a time, because a decoded image takes up to 200 MB. */
export type ImageScaler = {
  /**
   * Runs work when all work before it has ended.
   *
   * @throws the reason of the signal if it is aborted before the turn
   */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** The small image, or undefined if the content cannot be decoded. Call it in a turn. */
  scale(content: Uint8Array): Promise<SmallImage | undefined>;
};

/** Pixels of the longer side. */
const SMALL = 320;
const THUMBNAIL = 64;
/** The first one with which a thumbnail is small enough is taken. */
const THUMBNAIL_QUALITIES = [75, 50, 25, 1];
/** More than any image within the limits needs. It ends the decoding of files that were made to take long. */
const TIMEOUT = { seconds: 20 };
/** The formats of images (image-type.ts). Other decoders, and reading of files, are blocked. */
const LOADERS = ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"];

export function createImageScaler(): ImageScaler {
  let last: Promise<unknown> = Promise.resolve();
  let loaded: ReturnType<typeof loadDecoder> | undefined;

  return {
    inTurn(signal, work) {
      const turn = last;
      const result = Promise.race([turn, aborted(signal)]).then(work);
      last = Promise.allSettled([turn, result]);
      return result;
    },
    async scale(image) {
      loaded ??= loadDecoder();
      const decode = await loaded;
      try {
        const content = await scaled(decode(image), SMALL).webp().toBuffer();
        const sha256 = hash("sha256", content, "hex");
        return { content, sha256, thumbnail: await thumbnailOf(decode, content) };
      } catch {
        // The library reports damaged, huge and slow images with texts only.
        return undefined;
      }
    },
  };
}

type Decode = (content: Uint8Array) => Sharp;

/** The library takes 100 ms and 30 MB, and most processes decode no image. */
async function loadDecoder(): Promise<Decode> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
  sharp.cache(false);
  sharp.concurrency(1);
  const options: SharpOptions = { limitInputPixels: MAX_DECODED_PIXELS, failOn: "error" };
  return (content) => sharp(content, options);
}

/** Turned as its metadata says. The result has no metadata. */
const scaled = (image: Sharp, pixels: number): Sharp =>
  image.autoOrient().resize(pixels, pixels, { fit: "inside", withoutEnlargement: true }).timeout(TIMEOUT);

async function thumbnailOf(decode: Decode, small: Uint8Array): Promise<Uint8Array | undefined> {
  for (const quality of THUMBNAIL_QUALITIES) {
    const image = scaled(decode(small), THUMBNAIL).webp({ quality, alphaQuality: quality });
    const content = await image.toBuffer();
    if (content.length <= limits.thumbnailBytes) return content;
  }
  return undefined;
}

async function aborted(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
