import { expect, test } from "vitest";
import { methodsAt } from "./unknown-addresses.ts";

const routes = [
  { method: "GET", url: "/v1/assets" },
  { method: "POST", url: "/v1/assets" },
  { method: "GET", url: "/v1/assets/:id" },
  { method: "PATCH", url: "/v1/assets/:id" },
  { method: "POST", url: "/v1/assets/:id/checkin" },
];

test.each([
  ["/v1/assets", ["GET", "HEAD", "POST"]],
  ["/v1/assets/ast_1", ["GET", "HEAD", "PATCH"]],
  ["/v1/assets/ast_1/checkin", ["POST"]],
  ["/v1/assets/", []],
  ["/v1/assets//checkin", []],
  ["/v1/assets/ast_1/other", []],
])("the methods at %s", (path, expected) => {
  expect(methodsAt(routes, path)).toEqual(expected);
});
