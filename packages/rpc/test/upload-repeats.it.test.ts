import { invalid } from "@asset-register/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { type IdempotencyStore, type KeptAnswer, upload } from "../src/index.ts";
import { apiKey, type Running, running } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
  await current?.stop();
  current = undefined;
});

type Row = Omit<KeptAnswer, "sameRequest"> & { fingerprint: string };

/** A server whose handler refuses content that begins with "bad". It stores its answers as a transaction does. */
async function start() {
  const rows = new Map<string, Row>();
  const effects: string[] = [];
  const idempotency: IdempotencyStore = {
    has: async ({ key }) => rows.has(key),
    find: async ({ key, fingerprint }) => {
      const row = rows.get(key);
      return row && { ...row, sameRequest: row.fingerprint === fingerprint };
    },
    keepError: async ({ key, fingerprint }, error) => void rows.set(key, { fingerprint, error }),
  };
  current = await running({
    idempotency,
    handlers: {
      put: upload(
        ({ name }) => name,
        async (_name, content, { keyed }) => {
          let text = "";
          for await (const chunk of content) {
            text += Buffer.from(chunk).toString();
            if (text.startsWith("bad")) throw invalid([{ field: "file", message: "is bad" }]);
          }
          const whole = content.input();
          effects.push(`${whole} ${text.length}`);
          const result = { name: whole, number: effects.length };
          if (keyed !== undefined) {
            rows.set(keyed.key, { fingerprint: keyed.fingerprint, response: keyed.encode(result) });
          }
          return result;
        },
        ({ name, number }) => ({ nextCursor: name, page: number }),
      ),
    },
  });
  const { gateway } = current;
  const replayed: (string | undefined)[] = [];
  const put = (name: string, content: AsyncIterable<Uint8Array>, idempotencyKey?: string) =>
    gateway.put({ name }, content, {
      principal: apiKey,
      idempotencyKey,
      onTrailer: (trailer) => replayed.push(trailer.get("idempotency-replayed")),
    });
  return { put, rows, effects, replayed };
}

/** The text in parts: the parts of a repeat may differ. */
async function* text(content: string, part = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += part) yield Buffer.from(content.slice(at, at + part));
}

const long = "x".repeat(300_000);

describe("uploads with an Idempotency-Key", () => {
  it("a repeat with the same header and content gets the stored answer and has no effect", async () => {
    const { put, effects, replayed } = await start();
    const first = await put("a", text(long), "k1");
    expect(await put("a", text(long, 70_000), "k1")).toEqual(first);
    expect(effects).toEqual(["a 300000"]);
    expect(replayed).toEqual([undefined, "true"]);
  });

  it.each([
    ["another header", "b", long],
    ["other content", "a", `${long}y`],
    ["less content", "a", long.slice(1)],
  ])("a known key with %s gets IDEMPOTENCY_KEY_REUSED", async (_what, name, content) => {
    const { put, effects } = await start();
    await put("a", text(long), "k1");
    await expect(put(name, text(content), "k1")).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    expect(effects).toHaveLength(1);
  });

  it("content that is refused by its first bytes is read to its end, so that the error is stored for it", async () => {
    const { put, rows, replayed } = await start();
    const bad = `bad${long}`;
    await expect(put("a", text(bad), "k1")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(rows.has("k1")).toBe(true);
    await expect(put("a", text(bad), "k1")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(replayed).toEqual([undefined, "true"]);
    await expect(put("a", text(`${bad}!`), "k1")).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("an upload that breaks off stores no answer, and its key can be used for the whole content", async () => {
    const { put, rows, effects } = await start();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* text(long);
      throw new Error("broken off");
    }
    await expect(put("a", broken(), "k1")).rejects.toThrow();
    expect([rows.size, effects.length]).toEqual([0, 0]);
    expect(await put("a", text(long), "k1")).toMatchObject({ page: 1 });
  });

  it("fields that come after the content are part of the input, and a repeat may send them before it", async () => {
    const { put, effects, replayed } = await start();
    const first = await put("", Object.assign(text(long), { lastFields: () => ({ name: "a" }) }), "k1");
    expect(first).toMatchObject({ nextCursor: "a" });
    expect(await put("a", text(long), "k1")).toEqual(first);
    expect(effects).toEqual(["a 300000"]);
    expect(replayed).toEqual([undefined, "true"]);
    const other = Object.assign(text(long), { lastFields: () => ({ name: "b" }) });
    await expect(put("", other, "k1")).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("an upload without a key runs each time", async () => {
    const { put, effects } = await start();
    await put("a", text("x"));
    await put("a", text("x"));
    expect(effects).toHaveLength(2);
  });
});
