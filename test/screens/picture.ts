import sharp from "sharp";

/** So that READMEs stay quick, and a picture can be sent by mail. */
const MAX_BYTES = 60_000;
const QUALITIES = [85, 70, 55, 40];
const SMALLER = 0.75;

/** A PNG as WebP with at most 60 kB: as good as fits, and smaller if nothing else helps. */
export async function toWebp(png: Buffer): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const webp = await sharp(png).webp({ quality, effort: 5 }).toBuffer();
    if (webp.length <= MAX_BYTES) return webp;
  }
  const { width } = await sharp(png).metadata();
  return toWebp(
    await sharp(png)
      .resize(Math.round(width * SMALLER))
      .png()
      .toBuffer(),
  );
}
