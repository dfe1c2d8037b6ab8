import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@asset-register/harness";
import { conflict } from "@asset-register/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { measured, type Running, running, user } from "./running.ts";

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

async function pagesOf(items: AsyncIterable<{ page: number }>): Promise<number[]> {
  const pages: number[] = [];
  for await (const { page } of items) pages.push(page);
  return pages;
}

describe("streams of answers", () => {
  it("a stream of 5000 items arrives completely and in order", async () => {
    const { gateway } = await start();
    const pages = await pagesOf(gateway.list({ limit: 5000 }, { principal }));
    expect(pages).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
  });

  it("an empty stream ends without an error", async () => {
    const { gateway } = await start();
    expect(await pagesOf(gateway.list({ limit: 0 }, { principal }))).toEqual([]);
  });

  it("a stream that fails delivers the sent items and then throws, so that it never looks complete", async () => {
    const { gateway } = await start({
      handlers: {
        list: async function* () {
          yield { page: 1 };
          yield { page: 2 };
          throw conflict("RUN_STALE", "The run is stale", [{ field: "asset_id", message: "ast_1" }]);
        },
      },
    });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { page } of gateway.list({}, { principal })) seen.push(page);
    })();
    await expect(reading).rejects.toMatchObject({ code: "RUN_STALE", kind: "conflict" });
    expect(seen).toEqual([1, 2]);
  });

  // grpc-js would end it at its first keepalive ping, after 10 s (issue 3068 of grpc-node).
  it("a stream continues when its connection takes no further calls, past a keepalive ping, and the next call gets a new connection", async () => {
    const { gateway } = await start({
      maxConnectionAgeMs: 500,
      handlers: {
        list: async function* ({ limit }) {
          for (let page = 1; page <= limit; page += 1) {
            yield { page };
            await sleep(100);
          }
        },
      },
    });
    const long = pagesOf(gateway.list({ limit: 130 }, { principal, deadlineMs: 60_000 }));
    await sleep(1_000);
    expect(await pagesOf(gateway.list({ limit: 2 }, { principal }))).toEqual([1, 2]);
    expect(await long).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
  });

  it("the items of a stream are created only as fast as they are read", async () => {
    let created = 0;
    const block = "x".repeat(64 * 1024);
    const { gateway } = await start({
      handlers: {
        list: async function* ({ limit }) {
          for (; created < limit; created += 1) yield { nextCursor: block };
        },
      },
    });
    const items = gateway.list({ limit: 2000 }, { principal, deadlineMs: 60_000 })[Symbol.asyncIterator]();
    await items.next();
    let before = -1;
    await eventually(
      () => {
        const steady = before === created;
        before = created;
        if (!steady) throw new Error("items are still being created");
      },
      { everyMs: 200 },
    );
    expect(created).toBeLessThan(200);
    await items.return?.();
  });

  it("if the reader stops, the stream ends on the server", async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const { gateway } = await start({
      handlers: {
        list: async function* (_request, call) {
          try {
            yield { page: 1 };
            await once(call.signal, "abort");
          } finally {
            resolve();
          }
        },
      },
    });
    for await (const { page } of gateway.list({}, { principal })) {
      expect(page).toBe(1);
      break;
    }
    await ended;
  });

  it("a stream ends at its deadline", async () => {
    const { gateway } = await start({
      handlers: {
        list: async function* (_request, call) {
          yield { page: 1 };
          await once(call.signal, "abort");
        },
      },
    });
    const reading = pagesOf(gateway.list({}, { principal, deadlineMs: 150 }));
    await expect(reading).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
  });

  it("a stream is measured once, at its end", async () => {
    const { gateway, metrics } = await start();
    await pagesOf(gateway.list({ limit: 3 }, { principal }));
    await eventually(async () => expect(await measured(metrics, "server", "List", "OK")).toBe(1));
  });
});
