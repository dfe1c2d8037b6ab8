import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { newSecret, signatureHeaders, signingKey } from "./signing.ts";

const vector = {
  secret: "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=",
  message: {
    id: "msg_01JABCDEF0123456789ABCDEFG",
    timestamp: 1767225600,
    body: '{"id":"msg_01JABCDEF0123456789ABCDEFG","type":"asset.moved","timestamp":"2026-01-01T00:00:00.000Z","workspace_id":"ws_1","data":{"asset_id":"a1"}}',
  },
  whole: "sha256=d92058fc62b6a1aff955b617e66cca56566491c6aeca5302f1a9b103a6439b5a",
  standard: "v1,B5RGMcc90jXU3RuqNjktlPJ6YRoeSN1SbVhZbz41fpo=",
};

describe("signatureHeaders", () => {
  test("gives the published test vector, in both kinds", () => {
    expect(signatureHeaders(vector.message, signingKey(vector.secret))).toEqual({
      "x-service-signature": vector.whole,
      "webhook-id": vector.message.id,
      "webhook-timestamp": "1767225600",
      "webhook-signature": vector.standard,
    });
  });

  test("gives the same signature as the published library, which accepts each of an overlap", () => {
    const { id, timestamp, body } = vector.message;
    expect(new Webhook(vector.secret).sign(id, new Date(timestamp * 1000), body)).toBe(vector.standard);
    const now = Math.floor(Date.now() / 1000);
    const secrets = [newSecret(), newSecret()] as const;
    const [current, previous] = [signingKey(secrets[0]), signingKey(secrets[1])];
    const headers = signatureHeaders({ id, timestamp: now, body }, current, previous);
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  });

  test("during the overlap of a rotation the new secret signs first and the previous one too", () => {
    const headers = signatureHeaders(vector.message, signingKey(newSecret()), signingKey(vector.secret));
    expect(headers["x-service-signature"]).not.toBe(vector.whole);
    expect(headers["x-service-signature-previous"]).toBe(vector.whole);
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(headers["webhook-signature"]?.split(" ")[1]).toBe(vector.standard);
  });

  test("a receiver verifies any message by the published rules alone", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.string({ unit: "grapheme" }), (id, timestamp, body) => {
        const secret = newSecret();
        const headers = signatureHeaders({ id, timestamp, body }, signingKey(secret));
        const decoded = Buffer.from(secret.replace("whsec_", ""), "base64");
        const standard = createHmac("sha256", decoded).update(`${id}.${timestamp}.${body}`).digest("base64");
        expect(headers["webhook-signature"]).toBe(`v1,${standard}`);
        expect(headers["x-service-signature"]).toBe(
          `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
        );
      }),
    );
  });
});

test("a new secret is whsec_ and 32 random bytes in base64", () => {
  const secret = newSecret();
  expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
});
