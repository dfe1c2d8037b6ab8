import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rotateSecrets } from "./reader.ts";
import { readerSecret } from "./reader-secret.ts";

const sealed = (name: string) => ({ keyId: name, nonce: Buffer.alloc(12), data: Buffer.alloc(0) });
const now = new Date("2026-01-01T00:00:00Z");

describe("a reader's secrets", () => {
  it("keep the one before a rotation for the overlap, which is a day by default", () => {
    expect(rotateSecrets([{ sealed: sealed("old") }], sealed("new"), now)).toEqual([
      { sealed: sealed("old"), endsAt: new Date("2026-01-02T00:00:00Z") },
      { sealed: sealed("new") },
    ]);
  });

  it("end immediately without an overlap, and a second rotation ends the overlap of the first", () => {
    expect(rotateSecrets([{ sealed: sealed("old") }], sealed("new"), now, 0)).toEqual([
      { sealed: sealed("new") },
    ]);
    const twice = rotateSecrets(rotateSecrets([{ sealed: sealed("1") }], sealed("2"), now), sealed("3"), now);
    expect(twice.map((secret) => secret.sealed.keyId)).toEqual(["2", "3"]);
  });

  it("have the same length and form for any random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (random) => {
        expect(readerSecret(random)).toMatch(/^rdsec_[0-9A-Za-z]{43}$/);
      }),
    );
  });
});
