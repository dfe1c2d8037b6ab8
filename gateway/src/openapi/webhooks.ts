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

/** Two kinds of signature: check one of them, in constant time. */
const parameters: Parameter[] = [
  header(
    "X-Service-Signature",
    true,
    "sha256=d92058fc62b6a1aff955b617e66cca56566491c6aeca5302f1a9b103a6439b5a",
    "`sha256=` and the hex HMAC-SHA256 of the raw body; the key is the UTF-8 of the whole secret, `whsec_` included.",
  ),
  header(
    "X-Service-Signature-Previous",
    false,
    "sha256=5f7e0c1d2b3a49586776859493a2b1c0dfeefd0c1b2a39485766758493a2b1c0",
    "The same under the secret before, while a rotation's overlap lasts.",
  ),
  header(
    "webhook-id",
    true,
    exampleId("msg"),
    "The message's `id`: the same on every attempt, so that a repeat can be told.",
  ),
  header("webhook-timestamp", true, "1767225600", "When this attempt was signed, in seconds since 1970."),
  header(
    "webhook-signature",
    true,
    "v1,B5RGMcc90jXU3RuqNjktlPJ6YRoeSN1SbVhZbz41fpo=",
    "[Standard Webhooks](https://www.standardwebhooks.com): `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; the key is what is base64 behind `whsec_`. During a rotation's overlap there are two, with a space between.",
  ),
];

const DELIVERY = `Delivered at least once and in no order: \`id\` tells repeats, \`data.seq\` the order. Answer within 15 s and do the
work afterwards. What fails is tried ten times within about three days; redirects are not followed.`;

const responses: Record<string, Response> = {
  "2XX": { description: "Received. The body is not looked at." },
  "410": { description: "No longer wanted: the subscription is disabled at once." },
  "4XX": { description: "Failed: tried again later, 429 with regard to Retry-After." },
  "5XX": { description: "Failed: tried again later, 503 with regard to Retry-After." },
};

const mediaOf = (schema: Schema) => ({ schema, example: exampleOf(schema) });

/** What subscriptions are sent, one entry for each type of message. */
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
