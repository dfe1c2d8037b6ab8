import type { IncomingMessage, ServerResponse } from "node:http";
import fp from "fastify-plugin";

/** After its answer, a request is read for at most this time and these bytes. Then its connection is closed. */
const READ_ON_MS = 2_000;
const READ_ON_BYTES = 8 * 1_048_576;
const CHECK_EVERY_MS = 100;

/**
 * Keeps an answer that is sent before the body has arrived (413, 401, 503) from being lost. If a connection is closed
 * while unread bytes wait, the client's system gets a reset and may discard the answer that it has received
 * (RFC 9112, 9.6). So the rest of the body is read and ignored.
 */
export const earlyAnswers = fp(async (app) => {
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    // Before the listener of Node, which closes the connection if the answer says so.
    response.prependOnceListener("finish", () => {
      if (!request.complete) readOn(request);
    });
  });
});

function readOn(request: IncomingMessage): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon;
  let closing = false;
  // Node closes the connection when the answer is sent. Here that waits for the rest of the body.
  socket.destroySoon = () => {
    closing = true;
  };
  const until = performance.now() + READ_ON_MS;
  const maxBytes = socket.bytesRead + READ_ON_BYTES;
  const check = setInterval(() => {
    if (performance.now() >= until || socket.bytesRead > maxBytes) socket.destroy();
  }, CHECK_EVERY_MS).unref();
  request.once("close", () => {
    clearInterval(check);
    socket.destroySoon = destroySoon;
    if (closing) destroySoon.call(socket);
  });
  request.resume();
}
