import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { eventually } from "@asset-register/harness";
import { createMetrics, injectTraceparent, SpanKind, startTracing, withSpan } from "@asset-register/runtime";
import { Client, credentials, loadPackageDefinition, status } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { protoPath as healthProto } from "grpc-health-check";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createRpcClient, createUpstream } from "../src/index.ts";
import { echoService } from "./echo.ts";
import { logger, measured, type Running, running, user } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
  await current?.stop();
  current = undefined;
});

async function start(options: Parameters<typeof running>[0] = {}): Promise<Running> {
  current = await running(options);
  return current;
}

const principal = user;

describe("stopping", () => {
  it("stop waits for a running call and refuses new ones", async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { gateway, server } = await start({
      handlers: {
        look: async () => {
          enter();
          await released;
          return { page: 7 };
        },
      },
    });
    const pending = gateway.look({}, { principal });
    await entered;
    const stopped = server.stop(60_000);
    await expect(gateway.signedIn({}, { principal })).rejects.toMatchObject({ kind: "unavailable" });
    release();
    expect(await pending).toMatchObject({ page: 7 });
    await stopped;
  });

  it("stop cancels a call that does not end in time, for its caller and for its handler", async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<AbortSignal>();
    const { gateway, server } = await start({
      handlers: {
        look: (_request, { signal }) => {
          enter(signal);
          return new Promise<never>(() => undefined);
        },
      },
    });
    const pending = gateway.look({}, { principal, deadlineMs: 30_000 });
    pending.catch(() => undefined);
    const signal = await entered;
    await server.stop(100);
    await expect(pending).rejects.toMatchObject({ kind: "unavailable", code: "CANCELLED" });
    await eventually(() => expect(signal.aborted).toBe(true));
  });
});

describe("grpc.health.v1", () => {
  it("the health service reports the server and each service, without a credential", async () => {
    const { port } = await start();
    const definition = loadSync(healthProto, { enums: String });
    const { service } = (loadPackageDefinition(definition) as never as Health).grpc.health.v1.Health;
    const raw = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const check = service.Check ?? service.check;
    const statusOf = (name: string) =>
      new Promise((resolve) =>
        raw.makeUnaryRequest(
          check.path,
          check.requestSerialize,
          check.responseDeserialize,
          { service: name },
          (error, answer) => resolve(error?.code ?? (answer as { status: string }).status),
        ),
      );
    expect(await statusOf("")).toBe("SERVING");
    expect(await statusOf("test.v1.EchoService")).toBe("SERVING");
    expect(await statusOf("nobody")).toBe(status.NOT_FOUND);
    raw.close();
  });
});

type Method = {
  path: string;
  requestSerialize(value: object): Buffer;
  responseDeserialize(bytes: Buffer): object;
};
type Health = { grpc: { health: { v1: { Health: { service: { Check: Method; check: Method } } } } } };
type Reflection = {
  grpc: { reflection: { v1: { ServerReflection: { service: { ServerReflectionInfo: Method } } } } };
};

describe("reflection", () => {
  it("reflection lists the services and returns the files of a symbol, as grpcurl needs them", async () => {
    const { port } = await start();
    const proto = new URL(
      "../../../node_modules/@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto",
      import.meta.url,
    );
    const definition = loadSync(fileURLToPath(proto), { oneofs: true });
    const service = (loadPackageDefinition(definition) as never as Reflection).grpc.reflection.v1
      .ServerReflection.service;
    const { path, requestSerialize, responseDeserialize } = service.ServerReflectionInfo;
    const raw = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const stream = raw.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    const answers = stream[Symbol.asyncIterator]();
    stream.write({ listServices: "*" });
    expect(JSON.stringify((await answers.next()).value)).toContain("test.v1.EchoService");
    stream.write({ fileContainingSymbol: "test.v1.EchoService" });
    const { value } = await answers.next();
    const files: Buffer[] = value.fileDescriptorResponse.fileDescriptorProto;
    const texts = files.map((file) => file.toString("latin1"));
    expect(texts.some((text) => text.includes("EchoService"))).toBe(true);
    expect(texts.some((text) => text.includes("PageRequest"))).toBe(true);
    stream.end();
    raw.close();
  });
});

describe("an upstream", () => {
  it("an upstream is shared by several clients, and closing a client does not close it", async () => {
    const { port, ids } = await start();
    const upstream = createUpstream({
      address: `127.0.0.1:${port}`,
      identity: ids.gateway,
      metrics: createMetrics({ service: "test" }),
      logger,
    });
    const desc = echoService();
    const [one, two] = [createRpcClient(desc, { upstream }), createRpcClient(desc, { upstream })];
    one.close();
    await expect(two.signedIn({}, { principal })).resolves.toBeDefined();
    upstream.close();
    await expect(two.signedIn({}, { principal })).rejects.toMatchObject({
      kind: expect.stringMatching(/unavailable|internal/),
    });
  });

  it("an upstream of several processes shares the calls among them, and one that ends is left out", async () => {
    const first = await running();
    const second = await start({ ids: first.ids });
    const client = createRpcClient(echoService(), {
      address: `ipv4:127.0.0.1:${first.port},127.0.0.1:${second.port}`,
      identity: first.ids.gateway,
      metrics: createMetrics({ service: "test" }),
      logger,
      deadlineMs: 30_000,
    });
    onTestFinished(() => client.close());
    await eventually(async () => {
      await client.signedIn({}, { principal });
      for (const { metrics } of [first, second])
        expect(await measured(metrics, "server", "SignedIn", "OK")).toBeGreaterThan(0);
    });
    await first.stop();
    for (let call = 0; call < 10; call += 1) await client.signedIn({}, { principal });
  });

  it("a client uses two connections, and reconnects after both were cut", async () => {
    const { port, ids } = await start();
    const proxy = await openProxy(port);
    const client = createRpcClient(echoService(), {
      address: `127.0.0.1:${proxy.port}`,
      identity: ids.gateway,
      metrics: createMetrics({ service: "test" }),
      logger,
      deadlineMs: 30_000,
    });
    const calls = Array.from({ length: 20 }, () => client.look({}, { principal }));
    await Promise.all(calls);
    expect(proxy.connections()).toBe(2);
    proxy.cut();
    await eventually(() => client.look({}, { principal }));
    await Promise.all(Array.from({ length: 20 }, () => eventually(() => client.look({}, { principal }))));
    expect(proxy.connections()).toBe(4);
    client.close();
    await proxy.close();
  });

  it("the trace of the caller continues in the handler", async () => {
    const tracing = startTracing({ service: "test" });
    let inside: string | undefined;
    const { gateway } = await start({
      handlers: {
        look: () => {
          inside = injectTraceparent();
          return {};
        },
      },
    });
    try {
      const outside = await withSpan("request", SpanKind.SERVER, {}, async () => {
        await gateway.look({}, { principal });
        return injectTraceparent();
      });
      expect(inside?.split("-")[1]).toBe(outside?.split("-")[1]);
      expect(inside?.split("-")[2]).not.toBe(outside?.split("-")[2]);
    } finally {
      await tracing.stop();
    }
  });
});

/** Opens a TCP proxy, which counts connections and can cut them without the server. */
async function openProxy(target: number) {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((incoming) => {
    accepted += 1;
    const outgoing = connect(target, "127.0.0.1");
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => accepted,
    cut: () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
