import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { isPublic, parseNetwork } from "./address.ts";

/** The first and the last address of each denied range. */
const denied: [range: string, first: string, last: string][] = [
  ["0/8", "0.0.0.0", "0.255.255.255"],
  ["10/8", "10.0.0.0", "10.255.255.255"],
  ["100.64/10", "100.64.0.0", "100.127.255.255"],
  ["127/8", "127.0.0.0", "127.255.255.255"],
  ["169.254/16", "169.254.0.0", "169.254.255.255"],
  ["172.16/12", "172.16.0.0", "172.31.255.255"],
  ["192.0.0/24", "192.0.0.0", "192.0.0.255"],
  ["192.0.2/24", "192.0.2.0", "192.0.2.255"],
  ["192.31.196/24", "192.31.196.0", "192.31.196.255"],
  ["192.52.193/24", "192.52.193.0", "192.52.193.255"],
  ["192.88.99/24", "192.88.99.0", "192.88.99.255"],
  ["192.168/16", "192.168.0.0", "192.168.255.255"],
  ["192.175.48/24", "192.175.48.0", "192.175.48.255"],
  ["198.18/15", "198.18.0.0", "198.19.255.255"],
  ["198.51.100/24", "198.51.100.0", "198.51.100.255"],
  ["203.0.113/24", "203.0.113.0", "203.0.113.255"],
  ["224/4", "224.0.0.0", "239.255.255.255"],
  ["240/4", "240.0.0.0", "255.255.255.255"],
  ["Azure's host agent", "168.63.129.16", "168.63.129.16"],
  ["loopback", "::1", "::1"],
  ["unspecified", "::", "::"],
  ["IPv4-mapped", "::ffff:8.8.8.8", "::ffff:127.0.0.1"],
  ["NAT64", "64:ff9b::", "64:ff9b::ffff:ffff"],
  ["below 2000::/3", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "100::1"],
  ["above 2000::/3", "4000::", "4000::1"],
  ["unique local", "fc00::", "fdff::1"],
  ["link local", "fe80::", "fe80::1"],
  ["multicast", "ff02::1", "ff0e::1"],
  ["2001::/23", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["AS112", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"],
  ["3fff::/20", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ISATAP", "2a00:1450::5efe:c0a8:1", "2a00:1450::200:5efe:a00:1"],
];

/** Public addresses, most of them beside a denied range. */
const publicAddresses = [
  "1.0.0.0",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.0.3.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "168.63.129.15",
  "168.63.129.17",
  "8.8.8.8",
  "2000::1",
  "2001:200::1",
  "2001:db7:ffff::1",
  "2001:db9::1",
  "2001:ffff::1",
  "2003::1",
  "2620:4f:7fff::1",
  "2620:4f:8001::1",
  "3ffe:ffff::1",
  "2a00:1450:4001:81b::200e",
];

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

describe("isPublic", () => {
  test.each(denied)("denies the first and the last address of %s", (_range, first, last) => {
    expect([isPublic(first), isPublic(last)]).toEqual([false, false]);
  });

  test.each(publicAddresses)("accepts %s, beside or far from a denied range", (address) => {
    expect(isPublic(address)).toBe(true);
  });

  test.each([
    "",
    "localhost",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "2130706433",
    "127.1",
    "8.8.8",
    "08.8.8.8",
    " 8.8.8.8",
    "8.8.8.8 ",
    "８.8.8.8",
    "8.8.8.8/32",
    "[2a00::1]",
    "2a00::1%eth0",
    "fe80::1%1",
    "2a00:::1",
  ])("denies %j, which is not one plain address", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test("agrees with ipaddr.js: an address that it calls special is not public", () => {
    fc.assert(
      fc.property(octets, (parts) => {
        const address = parts.join(".");
        const range = ipaddr.IPv4.parse(address).range();
        if (range !== "unicast") expect(isPublic(address)).toBe(false);
      }),
    );
  });

  test("denies an IPv4 address that is wrapped in an IPv6 address", () => {
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const wrapped of [
          `::ffff:${hex}`,
          `::${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
          `2a00::5efe:${hex}`,
        ]) {
          expect(isPublic(wrapped)).toBe(false);
        }
      }),
    );
  });

  test("denies every address of each denied range, and accepts every other IPv4 address", () => {
    const value = (address: string) =>
      ipaddr.IPv4.parse(address).octets.reduce((sum, octet) => sum * 256 + octet, 0);
    const ranges = denied
      .filter(([, first]) => !first.includes(":"))
      .map(([, first, last]) => [value(first), value(last)] as const);
    const near = ranges.flatMap(([first, last]) => [
      fc.integer({ min: first, max: last }),
      fc.constantFrom(Math.max(0, first - 1), Math.min(0xffff_ffff, last + 1)),
    ]);
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), ...near), (number) => {
        const address = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
        const inside = ranges.some(([first, last]) => first <= number && number <= last);
        expect([address, isPublic(address)]).toEqual([address, !inside]);
      }),
      { numRuns: 2000 },
    );
  });

  test("accepts no IPv6 address outside 2000::/3, however it is written", () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(part, { minLength: 8, maxLength: 8 }), (parts) => {
        const address = new ipaddr.IPv6(parts);
        const spellings = [address.toRFC5952String(), address.toString(), address.toNormalizedString()];
        const [answer, ...others] = [...spellings, spellings[0]!.toUpperCase()].map(isPublic);
        expect(others.every((other) => other === answer)).toBe(true);
        if (((parts[0] ?? 0) & 0xe000) !== 0x2000) expect(answer).toBe(false);
      }),
    );
  });

  test("never throws, for any text", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof isPublic(text) === "boolean"));
  });
});

describe("parseNetwork", () => {
  test("contains only the addresses of its family and range", () => {
    const loopback = parseNetwork("127.0.0.0/8");
    expect(loopback?.contains("127.200.0.1")).toBe(true);
    expect(loopback?.contains("128.0.0.1")).toBe(false);
    expect(loopback?.contains("::ffff:127.0.0.1")).toBe(false);
    expect(parseNetwork("::1/128")?.contains("::1")).toBe(true);
  });

  test.each([
    "127.0.0.1",
    "127.0.0.0/33",
    "::/129",
    "127.0.0.0/8/8",
    "127/8",
    "0x7f.0.0.0/8",
    "10.0.0.0/",
    "a/8",
    "",
  ])("refuses %j", (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});
