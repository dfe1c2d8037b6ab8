/// <reference path="./internals.d.ts" />
import RequestQueue from "kafkajs/src/network/requestQueue/index.js";

/**
 * kafkajs 2.2.4 checks each connection for waiting requests every millisecond, even when none waits:
 * https://github.com/tulios/kafkajs/issues/1704. With that, an idle service used twice the CPU time, and Node 24 warned
 * of negative time-outs. This makes it check only while requests wait.
 */
const { scheduleCheckPendingRequests: schedule } = RequestQueue.prototype;
RequestQueue.prototype.scheduleCheckPendingRequests = function (): void {
  if (this.pending.length > 0) schedule.call(this);
};
