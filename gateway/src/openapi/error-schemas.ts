import Type from "typebox";
import { errorCatalogue } from "../error-catalogue/catalogue.ts";

const code = Type.String({
  description: `What programs should look at. Known: ${errorCatalogue
    .map(({ code }) => `\`${code}\``)
    .join(", ")}. New ones may come; /docs/errors has cause and cure of each.`,
  examples: ["NOT_FOUND"],
});

const errors = Type.Array(
  Type.Object({
    field: Type.String({ description: "A path in the caller's words", examples: ["events.0.ts"] }),
    message: Type.String({ examples: ["is required"] }),
  }),
  { description: "The fields that are not acceptable; empty when it is not about fields" },
);

const request_id = Type.String({ description: "Names the request in our logs" });

/** Surface A: the envelope of its successes, without data. */
export const envelopeErrorSchema = Type.Object({
  success: Type.Literal(false),
  message: Type.String({ description: "For people; its words may change" }),
  code,
  errors,
  request_id,
});

/** Surface B: RFC 9457. */
export const problemSchema = Type.Object({
  type: Type.String({ examples: ["about:blank"] }),
  title: Type.String({ description: "The name of the status", examples: ["Not Found"] }),
  status: Type.Integer({ examples: [404] }),
  detail: Type.String({ description: "For people; its words may change" }),
  code,
  errors,
  request_id,
});
