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

/** Expires a lease without waiting. */
async function expire(name: string): Promise<void> {
  await systemCollection<{ _id: string }>(db, "leases").updateOne(
    { _id: name },
    { $set: { expiresAt: new Date(0) } },
  );
}

describe("a lease", () => {
  it("if 12 holders acquire a new lease at the same time, one succeeds", async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, (_, n) => lease("first", `h${n}`).acquire()));
    expect(asked.filter(Boolean)).toHaveLength(1);
  });

  it("the holder can renew a lease, and after its release another holder can acquire it immediately", async () => {
    const [a, b] = [lease("kept", "a"), lease("kept", "b")];
    expect(await a.acquire()).toBe(true);
    expect(await b.acquire()).toBe(false);
    expect(await a.renew()).toBe(true);
    expect(await b.renew()).toBe(false);
    await a.release();
    expect(await b.acquire()).toBe(true);
    expect(await a.renew()).toBe(false);
  });

  it("an expired lease can be acquired by another holder, and the old holder cannot renew it", async () => {
    const [paused, other] = [lease("paused", "a"), lease("paused", "b")];
    await paused.acquire();
    const before = paused.token();
    await expire("paused");
    expect(await other.acquire()).toBe(true);
    expect(other.token()).toBeGreaterThan(before!);
    expect(await paused.renew()).toBe(false);
    expect(paused.token()).toBeUndefined();
  });

  it("a holder that lost a lease cannot release it", async () => {
    const [late, other] = [lease("late", "a"), lease("late", "b")];
    await late.acquire();
    await expire("late");
    await other.acquire();
    await late.release();
    expect(await other.renew()).toBe(true);
  });

  it("a lease uses the clock of the database, so a wrong clock of the process has no effect", async () => {
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

  it("a lease expires after its ttlMs", async () => {
    await lease("short", "a", 100).acquire();
    const other = lease("short", "b");
    await eventually(async () => expect(await other.acquire()).toBe(true));
  });

  it("of leases that are renewed at the same moment, one that was lost is not renewed, and the others are", async () => {
    const own = ["a", "b", "c"].map((name) => lease(`together-${name}`, "own"));
    expect(await Promise.all(own.map((one) => one.acquire()))).toEqual([true, true, true]);
    expect(await Promise.all(own.map((one) => one.renew()))).toEqual([true, true, true]);
    await expire("together-b");
    const other = lease("together-b", "other");
    await other.acquire();
    expect(await Promise.all(own.map((one) => one.renew()))).toEqual([true, false, true]);
    expect(await other.renew()).toBe(true);
  });

  it("a holder that waits for several leases gets those that are free or expired, and no other", async () => {
    const names = ["released", "expired", "held"].map((name) => `waited-${name}`);
    const before = names.map((name) => lease(name, "before"));
    await Promise.all(before.map((one) => one.acquire()));
    const waiting = names.map((name) => lease(name, "waiting"));
    const acquireAll = () => Promise.all(waiting.map((one) => one.acquire()));
    expect(await acquireAll()).toEqual([false, false, false]);
    await before[0]!.release();
    await expire("waited-expired");
    expect(await acquireAll()).toEqual([true, true, false]);
    expect(await before[2]!.renew()).toBe(true);
  });

  it("a holder's name that looks like the path of a field is used literally", async () => {
    expect(await lease("literal", "$token").acquire()).toBe(true);
    expect(await lease("literal", "other").acquire()).toBe(false);
  });
});

describe("runLeased", () => {
  it("runLeased does not run the function if another holder has the lease", async () => {
    await lease("busy", "a").acquire();
    expect(await runLeased(lease("busy", "b"), async () => "ran")).toEqual({ held: false });
  });

  it("runLeased renews the lease while the function runs, and releases it afterwards", async () => {
    // A renewal starts after each third of the lease. It may take the other two thirds.
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

  it("runLeased with pollMs waits for the lease", async () => {
    const first = lease("turn", "a");
    await first.acquire();
    const waiting = runLeased(lease("turn", "b"), async () => "ran", { pollMs: 20 });
    await first.release();
    expect(await waiting).toEqual({ held: true, result: "ran" });
  });

  it("the signal ends the wait of runLeased", async () => {
    await lease("stop", "a").acquire();
    const stop = new AbortController();
    const waiting = runLeased(lease("stop", "b"), async () => "ran", { pollMs: 20, signal: stop.signal });
    stop.abort(new Error("shutting down"));
    await expect(waiting).rejects.toThrow("shutting down");
  });

  it("runLeased aborts the function when another holder has acquired the lease", async () => {
    const other = lease("lost", "b");
    const run = runLeased(lease("lost", "a", 6_000), async (signal) => {
      // Repeated, because a renewal may happen between the two calls.
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

  it("runLeased passes on the error of the function and releases the lease", async () => {
    const run = runLeased(lease("failing", "a"), () => Promise.reject(new Error("broken")));
    await expect(run).rejects.toThrow("broken");
    expect(await lease("failing", "b").acquire()).toBe(true);
  });
});

async function expiry(name: string): Promise<Date> {
  const row = await systemCollection<{ _id: string; expiresAt: Date }>(db, "leases").findOne({ _id: name });
  return row!.expiresAt;
}
