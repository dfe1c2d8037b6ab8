/** What a request may have at most; `GET /tenant_config` tells apps. */
export const MAX_BODY_BYTES = 1_048_576;
export const MAX_LIMIT_A = 100;
export const MAX_PER_PAGE_B = 200;
