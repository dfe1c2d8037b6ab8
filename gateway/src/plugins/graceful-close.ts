import type { Socket } from "node:net";
import fp from "fastify-plugin";

/**
 * Lets a closing server finish. Requests in progress get `Connection: close`, so that their connections end with the
 * response. Connections that never sent a request are closed at once.
 */
export const gracefulClose = fp(async (app) => {
  const unused = new Set<Socket>();
  let closing = false;

  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.addHook("onRequest", (request, _reply, done) => {
    unused.delete(request.socket);
    done();
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (closing) reply.header("connection", "close");
    done(null, payload);
  });
  app.addHook("preClose", async () => {
    closing = true;
    for (const socket of unused) socket.destroy();
  });
});
