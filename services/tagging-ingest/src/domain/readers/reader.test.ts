import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readerSecret } from "../ingest/reader-secret.ts";
import { isSilent, rotateSecrets, wasHeardBetween } from "./reader.ts";

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

describe("a reader that was heard", () => {
  const at = (seconds: number) => now.getTime() + seconds * 1000;
  const heard = (aliveSince: number, lastSeenAt: number) => ({
    aliveSince: new Date(at(aliveSince)),
    lastSeenAt: new Date(at(lastSeenAt)),
  });

  it("is known to be heard in a time that has its newest request, or a minute of a time without a silence", () => {
    expect(wasHeardBetween(heard(0, 40), at(30), at(50))).toBe(true);
    expect(wasHeardBetween(heard(0, 40), at(30), at(90))).toBe(true);
    expect(wasHeardBetween(heard(0, 300), at(30), at(90))).toBe(true);
  });

  it("is not known to be heard before, or by a request that the worker has not reached", () => {
    expect(wasHeardBetween(undefined, at(30), at(50))).toBe(false);
    expect(wasHeardBetween(heard(0, 29), at(30), at(50))).toBe(false);
    // The portal posts every 40 s: its reads of the time before are in a record that waits.
    expect(wasHeardBetween(heard(0, 40), at(30), at(39))).toBe(false);
    expect(wasHeardBetween(heard(0, 300), at(30), at(89))).toBe(false);
    expect(wasHeardBetween(heard(200, 300), at(30), at(250))).toBe(false);
  });

  it("is silent after a minute", () => {
    expect(isSilent(heard(0, 0), at(60))).toBe(false);
    expect(isSilent(heard(0, 0), at(61))).toBe(true);
    expect(isSilent(undefined, at(0))).toBe(true);
  });
});
