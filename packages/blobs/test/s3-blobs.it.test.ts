import { findVersitygw, startS3, type TestS3 } from "@asset-register/harness";
import {
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBlobs, s3Settings } from "../src/index.ts";
import { blobTests, connectFresh, contentOf, digestOf } from "./suite.ts";

const program = await findVersitygw();

describe.skipIf(program === undefined)("with an S3-compatible store", () => {
  let server: TestS3;
  beforeAll(async () => {
    server = await startS3(program ?? "");
  });
  afterAll(() => server.stop());
  const settings = () => {
    const { endpoint, bucket, credentials } = server;
    return { endpoint, bucket, credentials, region: "us-east-1", prefix: "test/" };
  };

  async function remaining(): Promise<number> {
    const { bucket: Bucket, ...connection } = settings();
    const client = new S3Client({ ...connection, forcePathStyle: true });
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    client.destroy();
    return Contents.length + Uploads.length;
  }

  blobTests({ s3: settings, remaining });

  it("content that was stored in MongoDB is still readable after a change to S3", async () => {
    const mongo = await connectFresh();
    const now = () => new Date();
    const before = await createBlobs({ mongo, now });
    const { id, bytes, sha256 } = await before.put("wsp_1", contentOf(300_000));
    const after = await createBlobs({ mongo, s3: settings(), now });
    const opened = await after.open("wsp_1", id);
    expect(await digestOf(opened!.content)).toEqual({ bytes, sha256 });
    after.close();
    await mongo.close();
  });

  it("a missing object is an error as in MongoDB, and not unavailable, as no later call finds it", async () => {
    const mongo = await connectFresh();
    const blobs = await createBlobs({ mongo, s3: settings(), now: () => new Date() });
    const { id } = await blobs.put("wsp_1", contentOf(10));
    const { bucket: Bucket, prefix, ...connection } = settings();
    const client = new S3Client({ ...connection, forcePathStyle: true });
    await client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}wsp_1/${id}` }));
    client.destroy();
    const opened = await blobs.open("wsp_1", id);
    await expect(digestOf(opened!.content)).rejects.toThrow("0 of its 10 bytes");
    blobs.close();
    await mongo.close();
  });

  it("a store that is unavailable is reported as unavailable", async () => {
    const mongo = await connectFresh();
    const s3 = { ...settings(), bucket: "missing" };
    const blobs = await createBlobs({ mongo, s3, now: () => new Date() });
    await expect(blobs.put("wsp_1", contentOf(10))).rejects.toMatchObject({ kind: "unavailable" });
    blobs.close();
    await mongo.close();
  });
});

describe("settings", () => {
  const unset = { S3_REGION: "us-east-1", S3_PREFIX: "" };

  it("without a bucket, content is in MongoDB", () => {
    expect(s3Settings(unset)).toBeUndefined();
  });

  it("one of the two credentials alone is refused", () => {
    expect(() => s3Settings({ ...unset, S3_BUCKET: "b", S3_ACCESS_KEY_ID: "a" })).toThrow("set together");
  });
});
