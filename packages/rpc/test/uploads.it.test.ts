import { eventually } from "@asset-register/harness";
import { conflict, invalid, unavailable } from "@asset-register/runtime";
import { credentials, Client as GrpcClient, status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { type Content, type Handlers, upload } from "../src/index.ts";
import type { EchoService, PutHeader } from "./echo.ts";
import { apiKey, measured, metadataFor, type Running, running, user } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
  await current?.stop();
  current = undefined;
});

const principal = apiKey;
const KIB = 1024;

type Put = (header: PutHeader, content: Content) => Promise<{ nextCursor?: string; total?: number }>;

async function start(put?: Put): Promise<Running> {
  const handlers: Partial<Handlers<EchoService>> =
    put === undefined
      ? {}
      : {
          put: upload(
            (header) => header,
            (header, content) => put(header, content),
            (answer) => answer,
          ),
        };
  current = await running({ handlers });
  return current;
}

async function* contentOf(bytes: number, each = 10_000): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < bytes; sent += each) yield Buffer.alloc(Math.min(each, bytes - sent), sent % 251);
}

/** Content without an end, which counts the bytes that were taken from it. */
function endless(chunkBytes = 64 * KIB): { content: AsyncIterable<Uint8Array>; taken(): number } {
  let taken = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    for (; ; taken += chunkBytes) yield Buffer.alloc(chunkBytes);
  }
  return { content: content(), taken: () => taken };
}

describe("uploads", () => {
  it.each([0, 1, 64 * KIB, 64 * KIB + 1, 1_000_000])(
    "content of %i bytes arrives completely, in messages of at most 64 KiB",
    async (bytes) => {
      const lengths: number[] = [];
      const { gateway } = await start(async ({ name }, content) => {
        for await (const chunk of content) lengths.push(chunk.length);
        return { nextCursor: name };
      });
      expect(await gateway.put({ name: "a" }, contentOf(bytes), { principal })).toMatchObject({
        nextCursor: "a",
      });
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(bytes);
      expect(lengths.length).toBe(Math.ceil(bytes / (64 * KIB)));
    },
  );

  it("content that fails cancels the call: the caller gets its error, and the handler never sees an end", async () => {
    const { promise: outcome, resolve } = Promise.withResolvers<string>();
    const { gateway, metrics } = await start(async (_header, content) => {
      try {
        for await (const _chunk of content);
        resolve("complete");
      } catch (error) {
        resolve(error instanceof Error && "code" in error ? String(error.code) : "");
        throw error;
      }
      return {};
    });
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* contentOf(500_000);
      throw invalid([{ field: "file", message: "is broken" }]);
    }
    await expect(gateway.put({ name: "a" }, failing(), { principal })).rejects.toMatchObject({
      violations: [{ field: "file" }],
    });
    expect(await outcome).toBe("CANCELLED");
    await eventually(async () => expect(await measured(metrics, "server", "Put", "CANCELLED")).toBe(1));
  });

  it("a connection that is lost in the middle of an upload is no end of its content", async () => {
    const { promise: started, resolve: start1 } = Promise.withResolvers<void>();
    const { promise: outcome, resolve } = Promise.withResolvers<string>();
    const { gateway } = await start(async (_header, content) => {
      try {
        for await (const _chunk of content) start1();
        resolve("complete");
      } catch {
        resolve("broken");
      }
      return {};
    });
    const controller = new AbortController();
    const failed = gateway.put({ name: "a" }, endless().content, { principal, signal: controller.signal });
    await started;
    controller.abort();
    await expect(failed).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await outcome).toBe("broken");
  });

  it("a stream that its caller closes without the last chunk counts as cancelled", async () => {
    const { port, ids } = await start();
    const raw = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const metadata = await metadataFor(ids.gateway, principal);
    const same = (bytes: Buffer): Buffer => bytes;
    const { promise: code, resolve } = Promise.withResolvers<unknown>();
    const call = raw.makeClientStreamRequest("/test.v1.EchoService/Put", same, same, metadata, {}, (error) =>
      resolve(error?.code),
    );
    // A header with an empty message, and a chunk of two bytes.
    call.write(Buffer.from([0x0a, 0x00]));
    call.write(Buffer.from([0x12, 0x02, 0x01, 0x02]));
    call.end();
    expect(await code).toBe(status.CANCELLED);
    raw.close();
  });

  it("a refused caller sends no content", async () => {
    const { gateway } = await start();
    const { content, taken } = endless();
    const refused = gateway.put({ name: "a" }, content, { principal: user });
    await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(taken()).toBe(0);
  });

  it("a handler that refuses the first bytes answers at once, and the rest is not sent", async () => {
    const { gateway } = await start(async (_header, content) => {
      for await (const _chunk of content)
        throw conflict("WRONG_TYPE", "This is no image.", [{ field: "asset_id", message: "ast_1" }]);
      return {};
    });
    const { content, taken } = endless();
    const refused = gateway.put({ name: "a" }, content, { principal, deadlineMs: 60_000 });
    await expect(refused).rejects.toMatchObject({ code: "WRONG_TYPE", kind: "conflict" });
    const sent = taken();
    await content[Symbol.asyncIterator]().next();
    expect(taken() - sent).toBeLessThanOrEqual(128 * KIB);
  });

  it("content is taken only as fast as the handler reads it", async () => {
    const { promise: go, resolve: release } = Promise.withResolvers<void>();
    const { gateway } = await start(async (_header, content) => {
      await go;
      let total = 0;
      for await (const chunk of content) total += chunk.length;
      return { total };
    });
    let taken = 0;
    async function* content(): AsyncGenerator<Uint8Array> {
      for (; taken < 50 * 1024 * KIB; taken += 64 * KIB) yield Buffer.alloc(64 * KIB);
    }
    const answer = gateway.put({ name: "a" }, content(), { principal, deadlineMs: 60_000 });
    let before = -1;
    await eventually(
      () => {
        const steady = before === taken;
        before = taken;
        if (!steady) throw new Error("content is still being taken");
      },
      { everyMs: 200 },
    );
    expect(taken).toBeLessThan(5 * 1024 * KIB);
    release();
    expect(await answer).toMatchObject({ total: 50 * 1024 * KIB });
  });

  it("an upload ends at its deadline", async () => {
    let [begun, ended] = [0, 0];
    const { gateway } = await start(async (_header, content) => {
      begun += 1;
      try {
        for await (const _chunk of content);
      } finally {
        ended += 1;
      }
      return {};
    });
    // On a busy machine the deadline may pass before the handler begins.
    while (begun === 0) {
      const late = gateway.put({ name: "a" }, endless().content, { principal, deadlineMs: 300 });
      await expect(late).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    }
    await eventually(() => expect(ended).toBe(begun));
  });

  it("the revs of If-Match are in the header", async () => {
    const { gateway } = await start(async ({ ifRevIn }, content) => {
      for await (const _chunk of content);
      return { nextCursor: ifRevIn.join() };
    });
    const answer = await gateway.put({ name: "a" }, contentOf(3), { principal, ifRevIn: [4, 7] });
    expect(answer.nextCursor).toBe("4,7");
  });

  it("a handler that is unavailable is not called again, because content can be read only once", async () => {
    let calls = 0;
    const { gateway } = await start(async () => {
      calls += 1;
      throw unavailable();
    });
    const failed = gateway.put({ name: "a" }, contentOf(10), { principal });
    await expect(failed).rejects.toMatchObject({ kind: "unavailable" });
    expect(calls).toBe(1);
  });
});
