export { type BlobOptions, type Blobs, createBlobs, type OpenBlob, type StoredBlob } from "./blobs.ts";
export { blobMigration } from "./files.ts";
export { blobSettings, type S3Settings, s3Settings } from "./settings.ts";
export { type BlobSweep, type BlobSweepOptions, createBlobSweep } from "./sweep.ts";
