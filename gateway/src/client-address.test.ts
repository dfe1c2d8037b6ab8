import { expect, test } from "vitest";
import { clientAddressOf } from "./client-address.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:4711", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["[2001:db8::7]:443", "2001:db8::7"],
])("the client address of %s is %s", (ip, address) => {
  expect(clientAddressOf({ ip })).toBe(address);
});

test.each([undefined, "", "unknown", "_proxy"])(
  "the client address is never empty: clients without an address (%j) count as one",
  (ip) => {
    expect(clientAddressOf({ ip })).toBe("unknown");
  },
);
