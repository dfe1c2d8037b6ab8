import { eventually } from "@asset-register/harness";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLease, LeaseLostError, type Mongo, runLeased } from "../src/index.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh } from "./connect.ts";

let db: Mongo;
beforeAll(async () => {
  db = await connectFresh();
});
afterAll(() => db.close());

const LONG = 60_000;
const lease = (name: string, holder: string, ttlMs = LONG) => createLease(db, { name, holder, ttlMs });

/** What a clock at the database does, without waiting for it. */
async function expire(name: string): Promise<void> {
  await systemCollection<{ _id: string }>(db, "leases").updateOne(
    { _id: name },
    { $set: { expiresAt: new Date(0) } },
  );
}

describe("a lease", () => {
  it("has one holder, however many ask at once for the first time", async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, (_, n) => lease("first", `h${n}`).acquire()));
    expect(asked.filter(Boolean)).toHaveLength(1);
  });

  it("is kept by renewing, and free at once after release", async () => {
    const [a, b] = [lease("kept", "a"), lease("kept", "b")];
    expect(await a.acquire()).toBe(true);
    expect(await b.acquire()).toBe(false);
    expect(await a.renew()).toBe(true);
    expect(await b.renew()).toBe(false);
    await a.release();
    expect(await b.acquire()).toBe(true);
    expect(await a.renew()).toBe(false);
  });

  it("is taken over after expiry, and the paused holder learns of it", async () => {
    const [paused, other] = [lease("paused", "a"), lease("paused", "b")];
    await paused.acquire();
    const before = paused.token();
    await expire("paused");
    expect(await other.acquire()).toBe(true);
    expect(other.token()).toBeGreaterThan(before!);
    expect(await paused.renew()).toBe(false);
    expect(paused.token()).toBeUndefined();
  });

  it("is not released by one who lost it", async () => {
    const [late, other] = [lease("late", "a"), lease("late", "b")];
    await late.acquire();
    await expire("late");
    await other.acquire();
    await late.release();
    expect(await other.renew()).toBe(true);
  });

  it("goes by the database's clock: a far-off clock here changes nothing", async () => {
    const [a, b] = [lease("clock", "a"), lease("clock", "b")];
    await a.acquire();
    const real = Date.now;
    try {
      Date.now = () => real() + 24 * 60 * 60 * 1000;
      expect(await b.acquire()).toBe(false);
      expect(await a.renew()).toBe(true);
    } finally {
      Date.now = real;
    }
  });

  it("expires by itself after its time", async () => {
    await lease("short", "a", 100).acquire();
    const other = lease("short", "b");
    await eventually(async () => expect(await other.acquire()).toBe(true));
  });

  it("takes a holder's name as it is, even one that looks like a field", async () => {
    expect(await lease("literal", "$token").acquire()).toBe(true);
    expect(await lease("literal", "other").acquire()).toBe(false);
  });
});

describe("runLeased", () => {
  it("does nothing when another holds the lease", async () => {
    await lease("busy", "a").acquire();
    expect(await runLeased(lease("busy", "b"), async () => "ran")).toEqual({ held: false });
  });

  it("keeps the lease for longer than its life and lets it go after", async () => {
    // A third of it passes between renewals; a renewal may then take the other two.
    const ttlMs = 9_000;
    const other = lease("work", "b");
    const answer = await runLeased(lease("work", "a", ttlMs), async (signal) => {
      const first = (await expiry("work")).getTime();
      await eventually(async () => expect((await expiry("work")).getTime()).toBeGreaterThan(first + ttlMs));
      expect(signal.aborted).toBe(false);
      expect(await other.acquire()).toBe(false);
      return "ran";
    });
    expect(answer).toEqual({ held: true, result: "ran" });
    expect(await other.acquire()).toBe(true);
  });

  it("waits for its turn when told to", async () => {
    const first = lease("turn", "a");
    await first.acquire();
    const waiting = runLeased(lease("turn", "b"), async () => "ran", { pollMs: 20 });
    await first.release();
    expect(await waiting).toEqual({ held: true, result: "ran" });
  });

  it("stops waiting by its signal", async () => {
    await lease("stop", "a").acquire();
    const stop = new AbortController();
    const waiting = runLeased(lease("stop", "b"), async () => "ran", { pollMs: 20, signal: stop.signal });
    stop.abort(new Error("shutting down"));
    await expect(waiting).rejects.toThrow("shutting down");
  });

  it("aborts the work as soon as somebody else took over", async () => {
    const other = lease("lost", "b");
    const run = runLeased(lease("lost", "a", 6_000), async (signal) => {
      // Again should a renewal come in between.
      await eventually(async () => {
        await expire("lost");
        expect(await other.acquire()).toBe(true);
      });
      await eventually(() => signal.throwIfAborted(), { timeoutMs: 0 });
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    await expect(run).rejects.toBeInstanceOf(LeaseLostError);
    expect(await other.renew()).toBe(true);
  });

  it("passes on what the work throws, and lets the lease go", async () => {
    const run = runLeased(lease("failing", "a"), () => Promise.reject(new Error("broken")));
    await expect(run).rejects.toThrow("broken");
    expect(await lease("failing", "b").acquire()).toBe(true);
  });
});

async function expiry(name: string): Promise<Date> {
  const row = await systemCollection<{ _id: string; expiresAt: Date }>(db, "leases").findOne({ _id: name });
  return row!.expiresAt;
}
