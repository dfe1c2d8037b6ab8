/** Upper limits of requests, which `GET /tenant_config` reports to apps. */
export const MAX_BODY_BYTES = 1_048_576;
/** Of routes without a credential. A password may have 1000 characters of 12 bytes, as escapes. */
export const MAX_PUBLIC_BODY_BYTES = 16_384;
/** Of POST /assets/bulk. */
export const MAX_BULK_BYTES = 8 * MAX_BODY_BYTES;
/** Of one file. */
export const MAX_UPLOAD_BYTES = 20 * 1_048_576;
/** Of the file of an import. */
export const MAX_IMPORT_BYTES = 128 * 1_048_576;
export const MAX_LIMIT_A = 100;
export const MAX_PER_PAGE_B = 200;
