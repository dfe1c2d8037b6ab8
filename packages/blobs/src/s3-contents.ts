import { Readable } from "node:stream";
import { AppError, unavailable } from "@asset-register/runtime";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { Contents, Place } from "./contents.ts";
import type { S3Settings } from "./settings.ts";

/** The smallest part that S3 accepts. One part at a time is in memory. */
const PART_BYTES = 5 * 1024 * 1024;

/** Stores content as the objects `<prefix><workspace>/<id>` of a bucket. */
export function createS3Contents({ bucket, prefix, credentials, ...connection }: S3Settings): Contents {
  const client = new S3Client({
    ...connection,
    ...(credentials !== undefined && { credentials }),
    // With an endpoint of its own, a store rarely has a host name for each bucket.
    forcePathStyle: connection.endpoint !== undefined,
    // Many compatible stores do not know the checksums that the client otherwise adds.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
  });
  const objectOf = ({ workspaceId, id }: Place) => ({ Bucket: bucket, Key: `${prefix}${workspaceId}/${id}` });

  async function write(place: Place, content: AsyncIterable<Uint8Array>): Promise<void> {
    let failure: unknown;
    async function* observed(): AsyncGenerator<Uint8Array> {
      try {
        yield* content;
      } catch (error) {
        failure = error;
        throw error;
      }
    }
    const upload = new Upload({
      client,
      params: { ...objectOf(place), Body: Readable.from(observed(), { objectMode: false }) },
      partSize: PART_BYTES,
      queueSize: 1,
    });
    await upload.done().catch((error: unknown) => {
      throw failure ?? asUnavailable(error);
    });
  }

  async function* read(place: Place, from: number): AsyncGenerator<Uint8Array> {
    try {
      const { Body: body } = await client.send(
        new GetObjectCommand({ ...objectOf(place), Range: from > 0 ? `bytes=${from}-` : undefined }),
      );
      if (!(body instanceof Readable)) throw new Error("The answer of the store has no stream.");
      for await (const chunk of body) yield chunk;
    } catch (error) {
      // As in MongoDB, a missing object has no bytes, which the reader notices. It is not temporary.
      if (error instanceof NoSuchKey) return;
      throw asUnavailable(error);
    }
  }

  /** A killed process leaves an upload in parts behind, which deleting the object does not remove. */
  async function abortUploads(object: ReturnType<typeof objectOf>): Promise<void> {
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: object.Key }),
    );
    for (const { Key, UploadId } of Uploads) {
      if (Key === object.Key) await client.send(new AbortMultipartUploadCommand({ ...object, UploadId }));
    }
  }

  return {
    name: "s3",
    write,
    read,
    remove: async (place) => {
      const object = objectOf(place);
      try {
        await abortUploads(object);
        await client.send(new DeleteObjectCommand(object));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    close: () => client.destroy(),
  };
}

/** Every error of the store is temporary for the caller: an operator can repair a wrong bucket or key. */
function asUnavailable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return unavailable("The store of files is temporarily unavailable. Please try again.", undefined, error);
}
