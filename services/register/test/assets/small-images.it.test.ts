import { createHash } from "node:crypto";
import { AssetImageService, ImageSize } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { limits } from "@asset-register/proto/limits";
import { codeOf } from "@asset-register/service-harness";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import {
  holdAsset,
  makeAsset,
  type RunningRegister,
  seedWorkspace,
  sharedRegister,
  type Workspace,
} from "../support.ts";
import { download } from "./image-support.ts";

let register: RunningRegister;
let home: Workspace;
beforeAll(async () => {
  register = await sharedRegister();
  home = await seedWorkspace(register);
});

const images = () => register.client(AssetImageService);
const small = (id: string) => download(images(), home, id, ImageSize.SMALL);
const original = (id: string) => download(images(), home, id);
const RED = "#ff0000";
const BLUE = "#0000ff";

const photo = (background: string) =>
  sharp({ create: { width: 1200, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer();

async function* contentOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

const setImage = async (id: string, content: Uint8Array) =>
  images().setImage({ id }, contentOf(content), home.admin);

async function assetWithPhoto(background = RED): Promise<string> {
  const id = await makeAsset(register, home);
  await setImage(id, await photo(background));
  return id;
}

/** The rows of an asset that were made of its image. */
const rowsOf = async (_id: string) => {
  const of = (name: string) => register.mongo.collection(name).countDocuments({ workspaceId: home.id, _id });
  return { smallImages: await of("small_images"), thumbnails: await of("thumbnails") };
};
const NONE = { smallImages: 0, thumbnails: 0 };

/** Makes the image of an asset like one from before there were small images. */
async function makeOlder(_id: string): Promise<void> {
  for (const name of ["small_images", "thumbnails"]) {
    await register.mongo.collection(name).deleteOne({ workspaceId: home.id, _id });
  }
}

const thumbnailsOf = async (assetIds: string[], as = home.admin) =>
  (await images().listThumbnails({ assetIds }, as)).thumbnails;

/** The strongest of red, green and blue in the middle of an image. */
async function colourOf(content: Uint8Array): Promise<string> {
  const { dominant } = await sharp(content).stats();
  return dominant.r > dominant.b ? RED : BLUE;
}

test("the small image and the thumbnail are there when the upload is answered", async () => {
  const id = await assetWithPhoto();
  const { content, ...described } = await small(id);
  const sha256 = createHash("sha256").update(content).digest("hex");
  expect(described).toEqual({ type: "image/webp", bytes: content.length, sha256 });
  expect(await sharp(content).metadata()).toMatchObject({ format: "webp", width: 320, height: 213 });
  const [thumbnail] = await thumbnailsOf([id]);
  expect(thumbnail?.assetId).toBe(id);
  expect(await sharp(thumbnail?.content).metadata()).toMatchObject({ format: "webp", width: 64, height: 43 });
  expect(await original(id)).toMatchObject({ type: "image/jpeg" });
});

test("readers of an older image at once make its small image once, and each gets the same content", async () => {
  const id = await assetWithPhoto();
  const made = await small(id);
  await makeOlder(id);
  expect(await thumbnailsOf([id])).toEqual([]);
  const { asset } = await register.assets.getAsset({ id }, home.admin);
  expect(await Promise.all([small(id), small(id), small(id)])).toEqual([made, made, made]);
  expect(await rowsOf(id)).toEqual({ smallImages: 1, thumbnails: 1 });
  // Reading changes nothing of the asset.
  expect((await register.assets.getAsset({ id }, home.admin)).asset).toEqual(asset);
});

test("an image that cannot be decoded is accepted, and is its own small image without a thumbnail", async () => {
  const id = await assetWithPhoto();
  const damaged = (await photo(BLUE)).subarray(0, 300);
  await setImage(id, damaged);
  const whole = await original(id);
  expect(whole.content.equals(damaged)).toBe(true);
  expect(await small(id)).toEqual(whole);
  expect(await thumbnailsOf([id])).toEqual([]);
  // That is stored, so that no reader tries to decode it again.
  expect(await rowsOf(id)).toEqual({ smallImages: 1, thumbnails: 0 });
  await makeOlder(id);
  expect(await small(id)).toEqual(whole);
  expect(await rowsOf(id)).toEqual({ smallImages: 1, thumbnails: 0 });
});

test("a new image has its own small image; without an image, or with the asset deleted, nothing is left", async () => {
  const id = await assetWithPhoto(RED);
  expect(await colourOf((await small(id)).content)).toBe(RED);
  await setImage(id, await photo(BLUE));
  expect(await colourOf((await small(id)).content)).toBe(BLUE);
  await images().removeImage({ id }, home.admin);
  expect(await rowsOf(id)).toEqual(NONE);
  expect(await codeOf(small(id))).toBe("NOT_FOUND");
  await setImage(id, await photo(RED));
  await register.assets.deleteAsset({ id }, home.admin);
  expect(await rowsOf(id)).toEqual(NONE);
  expect(await codeOf(small(id))).toBe("NOT_FOUND");
  expect(await rowsOf(id)).toEqual(NONE);
});

test("uploads at once: the small image is that of the image that stays", async () => {
  const id = await makeAsset(register, home);
  const photos = await Promise.all([RED, BLUE, RED, BLUE].map(photo));
  await Promise.all(photos.map((content) => codeOf(setImage(id, content))));
  const [image, scaled, thumbnails] = [await original(id), await small(id), await thumbnailsOf([id])];
  const colour = await colourOf(image.content);
  expect(await colourOf(scaled.content)).toBe(colour);
  expect(await Promise.all(thumbnails.map(({ content }) => colourOf(content)))).toEqual([colour]);
});

test("an image that is removed while its small image is made leaves nothing behind", async () => {
  const id = await assetWithPhoto();
  await makeOlder(id);
  // Both transactions write the asset, so neither ends before this one. Then either is first.
  const held = await holdAsset(register, home.id, id);
  const reading = small(id).catch(() => undefined);
  const removing = images().removeImage({ id }, home.admin);
  await held.go();
  await Promise.all([reading, removing]);
  expect(await rowsOf(id)).toEqual(NONE);
});

test("thumbnails of other workspaces and unknown assets are left out; 51 assets are refused", async () => {
  const id = await assetWithPhoto();
  const bare = await makeAsset(register, home);
  const stranger = await seedWorkspace(register);
  expect((await thumbnailsOf([bare, id, "ast_unknown"])).map(({ assetId }) => assetId)).toEqual([id]);
  expect(await thumbnailsOf([id], stranger.admin)).toEqual([]);
  expect(
    await codeOf(
      images().getImage({ id, size: ImageSize.SMALL }, stranger.admin)[Symbol.asyncIterator]().next(),
    ),
  ).toBe("NOT_FOUND");
  const many = Array.from({ length: limits.thumbnails + 1 }, () => id);
  expect(await thumbnailsOf(many.slice(1))).toHaveLength(1);
  expect(await codeOf(thumbnailsOf(many))).toBe("VALIDATION_FAILED");
});
