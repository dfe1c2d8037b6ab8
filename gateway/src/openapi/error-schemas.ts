import Type from "typebox";
import { errorCatalogue } from "../error-catalogue/catalogue.ts";
import { methodsSchema, requestOptionsSchema } from "../resources/mfa.ts";

const code = Type.String({
  description: `Identifies the error for programs. Known codes: ${errorCatalogue
    .map(({ code }) => `\`${code}\``)
    .join(", ")}. Releases may add codes. /docs/errors explains the cause and cure of each.`,
  examples: ["NOT_FOUND"],
});

const errors = Type.Array(
  Type.Object({
    field: Type.String({ description: "Path of the field in the request", examples: ["events.0.ts"] }),
    message: Type.String({ examples: ["is required"] }),
  }),
  {
    description:
      "The fields that caused the error. Of a conflict: what the request conflicts with, with its value or id; of a 412: the `rev`. Empty when no field did",
  },
);

const request_id = Type.String({ description: "Id of the request in the logs of the service" });

/** Surface A: the same envelope as a success, without `data`. */
export const envelopeErrorSchema = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({ description: "Text for people. The wording may change." }),
    code,
    errors,
    request_id,
  },
  { title: "Error" },
);

/** Surface B: problem details of RFC 9457. */
export const problemSchema = Type.Object(
  {
    type: Type.String({
      description: "Address of the text about the code, relative to that of the request",
      examples: ["/docs/errors#NOT_FOUND"],
    }),
    title: Type.String({ description: "Name of the status", examples: ["Not Found"] }),
    status: Type.Integer({ examples: [404] }),
    detail: Type.String({ description: "Text for people. The wording may change." }),
    code,
    errors,
    request_id,
    challenge: Type.Optional(
      Type.String({ description: "With `MFA_REQUIRED`: for `/login/mfa`, within 5 minutes" }),
    ),
    device_uuid: Type.Optional(
      Type.String({ description: "With `MFA_REQUIRED`: the device to which the challenge belongs" }),
    ),
    methods: Type.Optional(methodsSchema),
    passkey_options: Type.Optional(requestOptionsSchema),
  },
  { title: "Problem" },
);
