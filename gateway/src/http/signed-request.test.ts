import { expect, test } from "vitest";
import { signatureOf } from "./signed-request.ts";

const signed = (signer: string) => ({
  [`x-${signer}-id`]: "id_1",
  [`x-${signer}-timestamp`]: "1767225600",
  [`x-${signer}-nonce`]: "n-1",
  [`x-${signer}-signature`]: "v1=00",
});

test.each([
  ["reader", "READER_SIGNATURE_INVALID"],
  ["agent", "AGENT_SIGNATURE_INVALID"],
] as const)(
  "a request of a %s without one of the four headers, or with an empty one, is %s",
  (signer, code) => {
    const headers = signed(signer);
    expect(signatureOf(headers, signer)).toEqual({
      id: "id_1",
      timestamp: "1767225600",
      nonce: "n-1",
      signature: "v1=00",
    });
    for (const name of Object.keys(headers)) {
      for (const value of [undefined, "", ["a", "b"]]) {
        expect(() => signatureOf({ ...headers, [name]: value }, signer)).toThrow(
          expect.objectContaining({ code }),
        );
      }
    }
  },
);
