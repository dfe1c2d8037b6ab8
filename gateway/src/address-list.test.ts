import { expect, test } from "vitest";
import { addressList } from "./address-list.ts";

test("an empty list is undefined: the key may be used from any address", () => {
  expect(addressList([])).toBeUndefined();
});

const BLOCKS = ["192.0.2.1", "10.0.0.0/8", "2001:db8:1::7", "2001:db8:2::/48", "::ffff:203.0.113.0/120"];

test.each([
  "192.0.2.1",
  "10.0.0.0",
  "10.255.255.255",
  "2001:db8:1::7",
  "2001:0DB8:0001:0:0:0:0:7",
  "2001:db8:2:ffff::1",
  "::ffff:192.0.2.1",
  "::ffff:c000:201",
  "::ffff:10.1.2.3",
  "203.0.113.9",
  "::ffff:203.0.113.9",
])("%s is admitted, in each of its notations", (address) => {
  expect(addressList(BLOCKS)?.admits(address)).toBe(true);
});

test.each([
  "192.0.2.2",
  "11.0.0.0",
  "9.255.255.255",
  "2001:db8:1::8",
  "2001:db8:3::1",
  "::ffff:192.0.2.2",
  "::192.0.2.1",
  "203.0.114.1",
  "::1",
])("%s is not admitted", (address) => {
  expect(addressList(BLOCKS)?.admits(address)).toBe(false);
});

test.each(["", "unknown", "0x7f.1", "10.0.0.1, 192.0.2.1"])(
  "%j is not an address: it is not admitted, not even by 0.0.0.0/0 and ::/0",
  (address) => {
    expect(addressList(["0.0.0.0/0", "::/0"])?.admits(address)).toBe(false);
  },
);

test.each(["::/0", "::/64", "::ffff:0:0/90"])(
  "%s admits no IPv4 address, although it holds the IPv4-mapped ones",
  (block) => {
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1"]) {
      expect(addressList([block])?.admits(address)).toBe(false);
    }
  },
);

test("a block admits its first and last address, and not the addresses next to them", () => {
  const list = addressList(["192.0.2.128/25", "2001:db8::8/125"]);
  for (const inside of ["192.0.2.128", "192.0.2.255", "2001:db8::8", "2001:db8::f"]) {
    expect(list?.admits(inside)).toBe(true);
  }
  for (const outside of ["192.0.2.127", "192.0.3.0", "2001:db8::7", "2001:db8::10"]) {
    expect(list?.admits(outside)).toBe(false);
  }
});
