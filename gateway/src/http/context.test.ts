import { expect, test } from "vitest";
import { clientAddressOf } from "./context.ts";

test("the client address is never empty: clients with a reset connection share the address `unknown`", () => {
  expect(clientAddressOf({ ip: "192.0.2.7" })).toBe("192.0.2.7");
  // Fastify's types say string, but it returns undefined once the connection was reset.
  const reset = { ip: undefined } as unknown as { ip: string };
  expect(clientAddressOf(reset)).toBe("unknown");
});
