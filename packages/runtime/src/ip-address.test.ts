import { expect, test } from "vitest";
import { clientNetworks, normalAddress, parseAddressBlock } from "./ip-address.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:4711", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::ffff:c000:207", "192.0.2.7"],
  ["[::ffff:192.0.2.7]:4711", "192.0.2.7"],
  ["2001:0DB8:0:0::7", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["[2001:db8::7]:443", "2001:db8::7"],
  ["fe80::1%eth0", "fe80::1"],
  ["::192.0.2.7", "::c000:207"],
])("%s is the address %s", (text, address) => {
  expect(normalAddress(text)).toBe(address);
});

test.each([
  "",
  "unknown",
  "192.0.2",
  "0x7f.1",
  "2130706433",
  "192.0.2.7:",
  "192.0.2.7:port",
  "192.0.2.7, 192.0.2.8",
  "[192.0.2.7",
  "_hidden",
])("%j is not an address", (text) => {
  expect(normalAddress(text)).toBeUndefined();
});

test.each([
  ["192.0.2.7", { address: "192.0.2.7", family: "ipv4", bits: 32 }],
  ["10.0.0.0/8", { address: "10.0.0.0", family: "ipv4", bits: 8 }],
  ["0.0.0.0/0", { address: "0.0.0.0", family: "ipv4", bits: 0 }],
  ["2001:DB8::/48", { address: "2001:db8::", family: "ipv6", bits: 48 }],
  ["::/0", { address: "::", family: "ipv6", bits: 0 }],
  ["::ffff:192.0.2.7", { address: "192.0.2.7", family: "ipv4", bits: 32 }],
  ["::ffff:10.0.0.0/104", { address: "10.0.0.0", family: "ipv4", bits: 8 }],
  ["::ffff:0:0/96", { address: "0.0.0.0", family: "ipv4", bits: 0 }],
])("%s is a block of addresses", (text, block) => {
  expect(parseAddressBlock(text)).toEqual(block);
});

test.each(["::ffff:10.0.0.0/8", "::ffff:0:0/95", "::ffff:192.0.2.7/0"])(
  "%s is refused: a block of IPv4-mapped addresses with a prefix below 96",
  (text) => {
    expect(parseAddressBlock(text)).toBeUndefined();
  },
);

test.each([
  "",
  "intranet",
  "192.0.2.7/33",
  "::1/129",
  "10.0.0.0/255.0.0.0",
  "10.0.0.0/",
  "fe80::1%eth0",
  "10.0.0.1:80",
])("%j is not a block of addresses", (text) => {
  expect(parseAddressBlock(text)).toBeUndefined();
});

test.each([
  ["203.0.113.7", ["203.0.113.7"]],
  ["::ffff:203.0.113.7", ["203.0.113.7"]],
  ["2001:db8:1:2:3:4:5:6", ["2001:db8:1:2::/64", "2001:db8:1::/48"]],
  ["2001:DB8:1:3::1", ["2001:db8:1:3::/64", "2001:db8:1::/48"]],
  ["fe80::1%eth0", ["fe80::/64", "fe80::/48"]],
  ["::1", ["::/64", "::/48"]],
  ["unknown", ["unknown"]],
])("%s counts for the networks %j", (address, networks) => {
  expect(clientNetworks(address).map(({ network }) => network)).toEqual(networks);
});

test("a /48 has the limits of ten clients", () => {
  expect(clientNetworks("2001:db8::1").map(({ clients }) => clients)).toEqual([1, 10]);
});
