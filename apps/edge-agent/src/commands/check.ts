import { connect } from "../app.ts";
import { createPlatformClock } from "../clock/platform-clock.ts";
import { loadConfig } from "../config/load.ts";
import { platformReaderOf } from "../config/schema.ts";
import { findCredentials } from "../enrolment/credentials.ts";
import { createEnrolmentFile } from "../enrolment/enrolment-file.ts";
import { connectProblem } from "../inputs/connection/open-socket.ts";
import { createHttpListener } from "../inputs/http-listener.ts";
import { createInput, peerOf } from "../inputs/inputs.ts";
import { createMqttBroker } from "../inputs/mqtt/broker.ts";
import type { Outcome } from "../upload/outcome.ts";
import { createSendBatch, heartbeat } from "../upload/send-batch.ts";
import type { Command } from "./command.ts";

/**
 * Says what is wrong with the configuration, sends the platform a signed heartbeat of each reader, and connects to the
 * readers and brokers to which the agent connects.
 */
export const check: Command = async ({ env, file, print, log }) => {
  const config = loadConfig(file, env);
  print(`${file}: valid, ${config.readers.length} readers.`);
  const enrolment = createEnrolmentFile(config.data, env.AGENT_KEY).read();
  print(
    enrolment === undefined
      ? "Not enrolled."
      : `Enrolled as ${enrolment.agent.name} (${enrolment.agent.id}).`,
  );
  const clock = createPlatformClock();
  const client = connect(config, clock);
  const send = createSendBatch(client, clock);
  const http = config.http && createHttpListener(config.http, log);
  const broker = config.mqtt_broker && createMqttBroker(config.mqtt_broker, log);
  const sink = { accept: async () => {}, heard() {}, unreadable() {} };
  let failures = 0;
  try {
    for (const reader of config.readers) {
      // Finds files that are missing. Nothing is connected.
      createInput(reader.input, { reader: reader.name, sink, log, http, broker });
      const credentials = findCredentials(reader, enrolment);
      const outcome = credentials && (await sendTwice(() => send(heartbeat(), credentials)));
      const problem = outcome === undefined ? NO_CREDENTIALS : problemOf(outcome);
      if (problem !== undefined) failures += 1;
      print(`Reader ${reader.name} (${platformReaderOf(reader)}): ${problem ?? "the platform knows it."}`);
      const peer = peerOf(reader.input);
      if (peer === undefined) continue;
      const unreachable = await connectProblem(peer);
      if (unreachable !== undefined) failures += 1;
      const about = `${peer.host}:${peer.port} answers${peer.tls === undefined ? "." : " with TLS."}`;
      print(`Reader ${reader.name}: ${unreachable ?? about}`);
    }
  } finally {
    await client.close();
  }
  const offset = clock.offsetMs();
  if (offset !== undefined && Math.abs(offset) > 2000)
    print(`The clock of this machine is off by ${Math.round(offset / 1000)} s. The agent corrects it.`);
  return failures === 0 ? 0 : 1;
};

const NO_CREDENTIALS = "no secret. Enrol the agent, or set `secret` and the reader's id.";

/** The first answer shows the time of the platform. */
async function sendTwice(send: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await send();
  return outcome.kind === "unauthorised" ? send() : outcome;
}

function problemOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "taken":
      return undefined;
    case "limited":
      return "the platform limits it (429). Its id and secret are not checked.";
    case "unavailable":
      return `the platform is unavailable: ${outcome.reason}`;
    case "unauthorised":
    case "refused":
      return `refused: ${outcome.code}`;
  }
}
