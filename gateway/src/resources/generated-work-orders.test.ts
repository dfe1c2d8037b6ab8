import { expect, test } from "vitest";
import { validatorCompiler } from "../http/validator.ts";
import { generateSchema } from "./generated-work-orders.ts";

test("generate with an empty list of assets is refused: the service would take it for all of the category", () => {
  const validate = validatorCompiler()({
    schema: generateSchema,
    method: "POST",
    url: "/",
    httpPart: "body",
  });
  expect(validate({ asset_ids: [] })).not.toBe(true);
  expect(validate({ asset_ids: ["ast_01kahz9gfxe7s8aw52mzxgpsk0"] })).toBe(true);
  expect(validate({})).toBe(true);
});
