import { crc32, deflateSync } from "node:zlib";
import { limits } from "@asset-register/proto/limits";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createImageScaler } from "./image-scaler.ts";

const { scale } = createImageScaler();

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c04020" } });
const noise = (side: number, channels: 3 | 4) =>
  sharp({ create: { width: side, height: side, channels, background: "#0000", noise: NOISE } });
const NOISE = { type: "gaussian", mean: 128, sigma: 60 } as const;

async function sizes(content: Uint8Array) {
  const small = await scale(content);
  const sizeOf = async (image: Uint8Array | undefined) => {
    const { format, width, height } = await sharp(image).metadata();
    return `${format} ${width} x ${height}`;
  };
  return [await sizeOf(small?.content), await sizeOf(small?.thumbnail)];
}

/** A black PNG with one bit a pixel. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

describe("scale", () => {
  it.each(["jpeg", "png", "webp"] as const)(
    "the longer side of a %s becomes 320 and 64 pixels",
    async (type) => {
      const image = await picture(1600, 900).toFormat(type).toBuffer();
      expect(await sizes(image)).toEqual(["webp 320 x 180", "webp 64 x 36"]);
    },
  );

  it("an image is turned as its metadata says, and the metadata is removed", async () => {
    const exif = { IFD0: { Copyright: "Somebody" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } };
    const image = await picture(800, 400).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await sharp(image).metadata()).exif).toBeDefined();
    expect(await sizes(image)).toEqual(["webp 160 x 320", "webp 32 x 64"]);
    const { exif: left, xmp, iptc, icc, orientation } = await sharp((await scale(image))?.content).metadata();
    expect([left, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
  });

  it("a small image is not enlarged, and keeps its transparency", async () => {
    const image = await noise(40, 4).png().toBuffer();
    expect(await sizes(image)).toEqual(["webp 40 x 40", "webp 40 x 40"]);
    expect((await sharp((await scale(image))?.content).metadata()).hasAlpha).toBe(true);
  });

  it.each([3, 4] as const)("a thumbnail of noise with %d channels is small enough", async (channels) => {
    const small = await scale(await noise(400, channels).png().toBuffer());
    const { length = Number.NaN } = small?.thumbnail ?? {};
    expect(length).toBeLessThanOrEqual(limits.thumbnailBytes);
    expect(`data:image/webp;base64,${"A".repeat(Math.ceil(limits.thumbnailBytes / 3) * 4)}`.length).toBe(
      4095,
    );
  });

  it("an image of 50 million pixels is decoded, one of more is not", async () => {
    expect(await sizes(png(10_000, 5_000))).toEqual(["webp 320 x 160", "webp 64 x 32"]);
    expect(await scale(png(10_000, 5_001))).toBeUndefined();
  });

  it.each([
    ["the first bytes of a PNG only", async () => Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
    ["a JPEG without its end", async () => (await picture(900, 900).jpeg().toBuffer()).subarray(0, 400)],
    ["a GIF", () => picture(9, 9).gif().toBuffer()],
    ["an SVG", async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["nothing", async () => Buffer.alloc(0)],
  ])("%s is not decoded", async (_what, content) => {
    expect(await scale(await content())).toBeUndefined();
  });
});

describe("inTurn", () => {
  const never = new AbortController().signal;

  it("work begins when all work before it has ended, also if that failed", async () => {
    const { inTurn } = createImageScaler();
    const gate = Promise.withResolvers<void>();
    const log: string[] = [];
    const first = inTurn(never, async () => {
      log.push("first begins");
      await gate.promise;
      log.push("first fails");
      throw new Error("broken");
    });
    const second = inTurn(never, async () => log.push("second"));
    gate.resolve();
    await expect(first).rejects.toThrow("broken");
    await second;
    expect(log).toEqual(["first begins", "first fails", "second"]);
  });

  it("work whose signal is aborted before its turn never begins, and the next one still waits for the first", async () => {
    const { inTurn } = createImageScaler();
    const gate = Promise.withResolvers<void>();
    const log: string[] = [];
    const leaves = new AbortController();
    const first = inTurn(never, async () => {
      await gate.promise;
      log.push("first");
    });
    const second = inTurn(leaves.signal, async () => log.push("second"));
    const third = inTurn(never, async () => log.push("third"));
    leaves.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
    expect(log).toEqual([]);
    gate.resolve();
    await Promise.all([first, third]);
    expect(log).toEqual(["first", "third"]);
  });
});
