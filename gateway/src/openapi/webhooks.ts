import { exampleId } from "../http/schemas.ts";
import { webhookMessages } from "../resources/webhook-message.ts";
import { exampleOf, plainSchema } from "./example.ts";
import type { Operation, Parameter, Response, Schema } from "./types.ts";

const header = (name: string, required: boolean, example: string, description: string): Parameter => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
  example,
});

/** A message has two kinds of signature. The receiver should check one of them, in constant time. */
const parameters: Parameter[] = [
  header(
    "X-Service-Signature",
    true,
    "sha256=d92058fc62b6a1aff955b617e66cca56566491c6aeca5302f1a9b103a6439b5a",
    "`sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the whole secret in UTF-8, `whsec_` included.",
  ),
  header(
    "X-Service-Signature-Previous",
    false,
    "sha256=5f7e0c1d2b3a49586776859493a2b1c0dfeefd0c1b2a39485766758493a2b1c0",
    "The same signature with the previous secret, during the overlap of a rotation.",
  ),
  header(
    "webhook-id",
    true,
    exampleId("msg"),
    "The `id` of the message. It is the same on every attempt, so that you can detect repeats.",
  ),
  header(
    "webhook-timestamp",
    true,
    "1767225600",
    "Time of the signature of this attempt, in seconds since 1970.",
  ),
  header(
    "webhook-signature",
    true,
    "v1,B5RGMcc90jXU3RuqNjktlPJ6YRoeSN1SbVhZbz41fpo=",
    "[Standard Webhooks](https://www.standardwebhooks.com): `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. The key is the part of the secret after `whsec_`, decoded from base64. During the overlap of a rotation there are two signatures, separated by a space.",
  ),
];

const DELIVERY = `Each message is delivered at least once, in any order. Use \`id\` to detect repeats and \`data.seq\` to order
messages about the same asset or alert. Respond within 15 s, and process the message afterwards. A failed delivery is
retried, up to ten attempts within about three days. Redirects are not followed.`;

const responses: Record<string, Response> = {
  "2XX": { description: "The message was received. The body of the response is ignored." },
  "410": { description: "The receiver no longer wants messages. The subscription is disabled at once." },
  "4XX": {
    description: "The delivery failed and is retried later. After 429 not before the time in Retry-After.",
  },
  "5XX": {
    description: "The delivery failed and is retried later. After 503 not before the time in Retry-After.",
  },
};

const mediaOf = (schema: Schema) => ({ schema, example: exampleOf(schema) });

/** The messages that subscriptions receive: one entry for each type. */
export const webhooks = (): Record<string, Record<string, Operation>> =>
  Object.fromEntries(
    webhookMessages.map(({ type, title, summary, schema }) => [
      type,
      {
        post: {
          operationId: `on${title}`,
          summary,
          description: DELIVERY,
          tags: ["Webhooks"],
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { "application/json": mediaOf(plainSchema(schema)) },
          },
          responses,
        },
      },
    ]),
  );
