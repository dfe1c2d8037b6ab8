import fp from "fastify-plugin";
import { whenClosed } from "../http/when-closed.ts";

export type AnswerTimeoutOptions = { answerTimeoutMs: number; answerBytesPerSecond: number };

/** The system takes a smaller answer at once, whether the client reads or not. */
const SMALL_BYTES = 65_536;

/**
 * Closes the connection of a client that does not take its answer in time: until then its bytes are in memory. Streams
 * have no such limit, because they wait for the client and hold little. A connection without traffic is closed anyway.
 */
export const answerTimeout = fp<AnswerTimeoutOptions>(
  async (app, { answerTimeoutMs, answerBytesPerSecond }) => {
    app.addHook("onSend", (_request, reply, payload, done) => {
      const bytes = typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
      if (bytes <= SMALL_BYTES) return done(null, payload);
      const ms = answerTimeoutMs + (bytes / answerBytesPerSecond) * 1_000;
      const timer = setTimeout(() => reply.raw.socket?.destroy(), ms).unref();
      whenClosed(reply, () => clearTimeout(timer));
      done(null, payload);
    });
  },
);
