import { once } from "node:events";
import { eventually } from "@asset-register/harness";
import { conflict } from "@asset-register/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { measured, type Running, running, user } from "./running.ts";

let it_: Running | undefined;
afterEach(async () => {
  await it_?.stop();
  it_ = undefined;
});

async function start(options: Parameters<typeof running>[0] = {}): Promise<Running> {
  it_ = await running(options);
  return it_;
}

const principal = user;

async function pagesOf(items: AsyncIterable<{ page: number }>): Promise<number[]> {
  const pages: number[] = [];
  for await (const { page } of items) pages.push(page);
  return pages;
}

describe("streams of answers", () => {
  it("arrive whole and in order", async () => {
    const { gateway } = await start();
    const pages = await pagesOf(gateway.list({ limit: 5000 }, { principal }));
    expect(pages).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
  });

  it("of nothing end", async () => {
    const { gateway } = await start();
    expect(await pagesOf(gateway.list({ limit: 0 }, { principal }))).toEqual([]);
  });

  it("that break off say so after what was sent, and never look complete", async () => {
    const { gateway } = await start({
      handlers: {
        list: async function* () {
          yield { page: 1 };
          yield { page: 2 };
          throw conflict("RUN_STALE", "The run is stale");
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

  it("are made no faster than they are read", async () => {
    let made = 0;
    const block = "x".repeat(64 * 1024);
    const { gateway } = await start({
      handlers: {
        list: async function* ({ limit }) {
          for (; made < limit; made += 1) yield { nextCursor: block };
        },
      },
    });
    const items = gateway.list({ limit: 2000 }, { principal, deadlineMs: 60_000 })[Symbol.asyncIterator]();
    await items.next();
    let before = -1;
    await eventually(
      () => {
        const steady = before === made;
        before = made;
        if (!steady) throw new Error("still being made");
      },
      { everyMs: 200 },
    );
    expect(made).toBeLessThan(200);
    await items.return?.();
  });

  it("stop at the server when the reader stops", async () => {
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

  it("end at the deadline", async () => {
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

  it("are measured once, when they end", async () => {
    const { gateway, metrics } = await start();
    await pagesOf(gateway.list({ limit: 3 }, { principal }));
    await eventually(async () => expect(await measured(metrics, "server", "List", "OK")).toBe(1));
  });
});
