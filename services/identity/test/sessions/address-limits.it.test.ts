import { afterAll, beforeAll, expect, test } from "vitest";
import { admitAddress } from "../../src/operations/sessions/admit-address.ts";
import { type RunningIdentity, startIdentity } from "../support.ts";

let service: RunningIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service?.stop());

const exhausted = { kind: "exhausted" };

/** Makes this many attempts, which are admitted. */
async function attempts(count: number, address: string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await admitAddress(service.context, "sign_in", address);
  }
}
const attempt = (address: string) => attempts(1, address);

test("a /64 of IPv6 has the limit of one client, and a /48 that of ten", async () => {
  await service.withClockStopped(async () => {
    for (let subnet = 1; subnet <= 10; subnet += 1) {
      await attempts(10, `2001:db8:7:${subnet}::1`);
      await attempts(10, `2001:db8:7:${subnet}:ffff::1`);
      await expect(attempt(`2001:db8:7:${subnet}::2`)).rejects.toMatchObject(exhausted);
    }
    await expect(attempt("2001:db8:7:b::1")).rejects.toMatchObject(exhausted);
    await attempt("2001:db8:8::1");
    service.advance(3_000);
    await attempts(1, "2001:db8:7:1::3");
  });
});

test("refused attempts of a /64 do not use up the limit of its /48", async () => {
  await service.withClockStopped(async () => {
    await attempts(20, "2001:db8:9:1::1");
    for (let index = 0; index < 200; index += 1) {
      await expect(attempt("2001:db8:9:1::1")).rejects.toMatchObject(exhausted);
    }
    await attempt("2001:db8:9:2::1");
  });
});

test("an IPv4 address counts as one client in each of its notations", async () => {
  await service.withClockStopped(async () => {
    await attempts(10, "203.0.113.99");
    await attempts(10, "::ffff:203.0.113.99");
    await expect(attempt("203.0.113.99")).rejects.toMatchObject(exhausted);
    await expect(attempt("::ffff:cb00:7163")).rejects.toMatchObject(exhausted);
    await attempt("203.0.113.98");
  });
});
