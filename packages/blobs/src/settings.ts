import { settings } from "@asset-register/runtime";
import { z } from "zod";

export type S3Settings = {
  bucket: string;
  endpoint?: string | undefined;
  region: string;
  /** Begins the key of each object. */
  prefix: string;
  /** Without them, the client finds credentials as all tools of AWS do: environment, profile, role of the pod. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
};

/** The settings of the store, to spread into the schema of a service. */
export const blobSettings = {
  S3_BUCKET: z.string().min(1).optional(),
  S3_ENDPOINT: settings.url().optional(),
  S3_REGION: z.string().min(1).default("us-east-1"),
  S3_PREFIX: z.string().default(""),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
};

const schema = z.object(blobSettings);

/**
 * Returns the settings of the S3 store, or undefined without S3_BUCKET.
 *
 * @throws Error if only one of the two credentials is set
 */
export function s3Settings(config: z.output<typeof schema>): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (bucket === undefined) return undefined;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new Error("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.");
  }
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_PREFIX: prefix } = config;
  return { bucket, endpoint, region, prefix, credentials };
}
