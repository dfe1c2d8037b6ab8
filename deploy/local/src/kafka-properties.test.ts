import { expect, test } from "vitest";
import { serverProperties } from "./kafka-properties.ts";

test("the path of a data folder is escaped as Java properties need it: non-ASCII characters and backslashes", () => {
  const context = { directory: "/unused", port: 1, innerPort: 2 };
  const settings = serverProperties(context, "/home/zo\u00eb/\u{1f4e6}/a\\b c", "127.0.0.1");
  expect(settings).toContain("\nlog.dirs=/home/zo\\u00eb/\\ud83d\\udce6/a\\u005cb c\n");
  expect(settings).toContain("\nlisteners=PLAINTEXT://127.0.0.1:1,CONTROLLER://127.0.0.1:2\n");
});
