import { expect, test } from "vitest";
import { serverProperties } from "./kafka-properties.ts";

test("the path of a data folder is escaped as Java properties need it: non-ASCII characters and backslashes", () => {
  const settings = serverProperties(
    { port: 1, innerPort: 2 },
    "/home/zo\u00eb/\u{1f4e6}/a\\b c",
    "127.0.0.1",
  );
  expect(settings).toContain("\nlog.dirs=/home/zo\\u00eb/\\ud83d\\udce6/a\\u005cb c\n");
  expect(settings).toContain("\nlisteners=PLAINTEXT://127.0.0.1:1,CONTROLLER://127.0.0.1:2\n");
});

test("a node of a cluster names all controllers, and listens as one only if it is one", () => {
  const controllers = [
    { id: 1, port: 11 },
    { id: 2, port: 12 },
  ];
  const second = serverProperties({ port: 2, innerPort: 12 }, "/log", "127.0.0.1", {
    id: 2,
    controllers,
    nodes: 3,
    advertisedPort: 22,
  });
  expect(second).toContain("\nnode.id=2\ncontroller.quorum.voters=1@127.0.0.1:11,2@127.0.0.1:12\n");
  expect(second).toContain("\nlisteners=PLAINTEXT://127.0.0.1:2,CONTROLLER://127.0.0.1:12\n");
  // Others reach it through a proxy.
  expect(second).toContain("\nadvertised.listeners=PLAINTEXT://127.0.0.1:22\n");
  const third = serverProperties({ port: 3, innerPort: 13 }, "/log", "127.0.0.1", {
    id: 3,
    controllers,
    nodes: 3,
    advertisedPort: 3,
  });
  expect(third).toMatch(/^process.roles=broker$/m);
  expect(third).toContain("\nlisteners=PLAINTEXT://127.0.0.1:3\n");
});
