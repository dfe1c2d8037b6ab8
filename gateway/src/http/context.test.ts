import { expect, test } from "vitest";
import { clientAddressOf } from "./context.ts";

test("a client has an address, that of all who have none when its connection is reset: identity limits by it", () => {
  expect(clientAddressOf({ ip: "192.0.2.7" })).toBe("192.0.2.7");
  // As Fastify answers then, whatever its types say.
  const gone = { ip: undefined } as unknown as { ip: string };
  expect(clientAddressOf(gone)).toBe("unknown");
});
