import { expect, test } from "vitest";
import { createRefusals } from "./refusals.ts";

/** One a second, three at once. */
const RATE = { perMinute: 60, burst: 3 };

const sender = (ip: string, workspaceId?: string) => ({ client: { ip }, workspaceId });
const limited = (retryAfterMs: number) => expect.objectContaining({ code: "RATE_LIMITED", retryAfterMs });

/** Refusals while Redis is unavailable. */
function start() {
  let time = 1_000;
  const refusals = createRefusals({ charge: async () => undefined }, RATE, () => time);
  return { ...refusals, wait: (ms: number) => (time += ms) };
}

test("after a burst of refusals a network is admitted once an interval, and others always", async () => {
  const { admit, count, wait } = start();
  for (let i = 0; i < 3; i += 1) {
    admit(sender("192.0.2.1"));
    await count(sender("192.0.2.1"));
  }
  expect(() => admit(sender("192.0.2.1"))).toThrow(limited(1_000));
  admit(sender("192.0.2.2"));
  wait(999);
  expect(() => admit(sender("192.0.2.1"))).toThrow(limited(1));
  wait(1);
  admit(sender("192.0.2.1"));
});

test("refusals of requests that were sent at once all count, so a later wave has to wait longer", async () => {
  const { admit, count, wait } = start();
  await Promise.all(Array.from({ length: 10 }, () => count(sender("192.0.2.1"))));
  expect(() => admit(sender("192.0.2.1"))).toThrow(limited(8_000));
  wait(8_000);
  admit(sender("192.0.2.1"));
});

test("each refusal of one request counts", async () => {
  const { admit, count, wait } = start();
  await count(sender("192.0.2.1"), 10);
  expect(() => admit(sender("192.0.2.1"))).toThrow(limited(8_000));
  wait(8_000);
  admit(sender("192.0.2.1"));
});

test("reads of one workspace use up nothing of another one, nor of the credentials of their network", async () => {
  const { admit, count } = start();
  for (let i = 0; i < 3; i += 1) await count(sender("192.0.2.1", "wsp_1"));
  expect(() => admit(sender("192.0.2.1", "wsp_1"))).toThrow(limited(1_000));
  admit(sender("192.0.2.1", "wsp_2"));
  admit(sender("192.0.2.1"));
});

test("all addresses of an IPv6 /64 count as one client", async () => {
  const { admit, count } = start();
  for (let i = 0; i < 3; i += 1) await count(sender(`2001:db8::${i + 1}`));
  expect(() => admit(sender("2001:db8::ffff"))).toThrow(limited(1_000));
  admit(sender("2001:db8:0:1::1"));
});

test("what Redis says counts, because other gateways count there too", async () => {
  const refusals = createRefusals({ charge: async () => 5_000 }, RATE, () => 0);
  await refusals.count(sender("192.0.2.1"));
  expect(() => refusals.admit(sender("192.0.2.1"))).toThrow(limited(3_000));
});
