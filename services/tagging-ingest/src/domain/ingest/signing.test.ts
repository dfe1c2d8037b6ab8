import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  batchDigest,
  batchText,
  bodyHash,
  eventDigest,
  eventText,
  isInWindow,
  NONCE,
  signingKey,
  syncText,
  verifies,
} from "./signing.ts";

const secret = "rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
const key = signingKey(secret);
const dummy = signingKey("dummy");

describe("signing", () => {
  it("accepts the published vector of one event, which readers of all makers implement", () => {
    const text = eventText("rdr_1", "303435FC8803D056D15B963F", "2026-01-01T00:00:00.000Z");
    const signature = "1e851ef68113ddb65514cdc01d3708a8071e86dbcd9db63a5a2bab52daf76dba";
    expect(verifies([key], dummy, text, eventDigest(signature))).toBe(true);
    expect(verifies([key], dummy, text, eventDigest(`sha256=${signature}`))).toBe(true);
  });

  it("accepts the published vector of a request of events", () => {
    const text = batchText("rdr_1", "1767225600", "n-1", bodyHash(Buffer.from('{"events":[]}')));
    const signature = "v1=15be882daaf0f0dd3db37302ed8f9b1723c5633e9338abf6df95d13726c0a4c4";
    expect(verifies([key], dummy, text, batchDigest(signature))).toBe(true);
  });

  it("signs the route, the agent, the time, the nonce and the hash of the body of a sync", () => {
    expect(syncText("agt_1", "1767225600", "n-1", "ab")).toBe(
      "v1\nPOST\n/asset_manager_api/agents/sync\nagt_1\n1767225600\nn-1\nab",
    );
  });

  it("accepts a signed time up to 300 s before and after the server's", () => {
    const at = Date.UTC(2026, 0, 1);
    for (const by of [-300, 0, 300]) expect(isInWindow(String(at / 1000 + by), at)).toBe(true);
    for (const by of [-301, 301]) expect(isInWindow(String(at / 1000 + by), at)).toBe(false);
    for (const text of ["", "1.5", "-1", "1e9", "999999999999"]) expect(isInWindow(text, at)).toBe(false);
  });

  it("accepts nonces of 1 to 64 printable ASCII characters", () => {
    for (const nonce of ["n", "!~", "n".repeat(64)]) expect(NONCE.test(nonce)).toBe(true);
    for (const nonce of ["", "a b", "a\n", "ü", "n".repeat(65)]) expect(NONCE.test(nonce)).toBe(false);
  });

  it("refuses a signature that was made with the dummy key, so a reader without keys never passes", () => {
    const made = createHmac("sha256", dummy).update("text").digest("hex");
    expect(verifies([], dummy, "text", eventDigest(made))).toBe(false);
  });

  it("refuses digests in another form: upper case, too short, another prefix, absent", () => {
    const hex = "ab".repeat(32);
    expect(eventDigest(hex.toUpperCase())).toBeUndefined();
    expect(eventDigest(hex.slice(1))).toBeUndefined();
    expect(eventDigest(`v1=${hex}`)).toBeUndefined();
    expect(batchDigest(hex)).toBeUndefined();
    expect(verifies([key], dummy, "text", undefined)).toBe(false);
  });

  it("accepts both secrets during the overlap of a rotation", () => {
    const made = createHmac("sha256", "new").update("text").digest();
    expect(verifies([key, signingKey("new")], dummy, "text", made)).toBe(true);
  });

  it("accepts a signature for no other text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (signed, sent) => {
        const made = createHmac("sha256", secret).update(signed).digest();
        expect(verifies([key], dummy, sent, made)).toBe(signed === sent);
      }),
    );
  });
});
