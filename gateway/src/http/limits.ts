/** What a request may have at most; `GET /tenant_config` tells apps. */
export const MAX_BODY_BYTES = 1_048_576;
export const MAX_LIMIT_A = 100;
export const MAX_PER_PAGE_B = 200;
/** Reader events of one batch; the ingest service has the same limit for bodies that readers sign. */
export const MAX_EVENTS = 1000;
