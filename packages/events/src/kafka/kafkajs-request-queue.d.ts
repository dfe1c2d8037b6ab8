/** A private module of kafkajs, as far as quiet-connections.ts uses it. */
declare module "kafkajs/src/network/requestQueue/index.js" {
  class RequestQueue {
    constructor(options: object);
    /** Requests that wait until the broker no longer throttles the client. */
    pending: unknown[];
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    scheduleCheckPendingRequests(): void;
    fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void;
    destroy(): void;
  }
  export = RequestQueue;
}
