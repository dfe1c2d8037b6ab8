import { escaped, page, prose } from "../page.ts";
import type { TopicFacts } from "./topic-facts.ts";

/** The list of all topics. */
export const topicsPage = (topics: readonly TopicFacts[]): string =>
  page(
    "Events",
    `<p>Topics of Kafka that other teams may subscribe to. The values are protobuf messages, the headers those of
      CloudEvents 1.0. <a href="/docs/asyncapi.json">AsyncAPI 3 document</a>,
      <a href="/docs/protos/descriptors.binpb">all messages as a FileDescriptorSet</a></p>
      <table>
        <thead><tr><th>Topic</th><th>When</th><th>Kept</th></tr></thead>
        <tbody>
${topics.map(row).join("\n")}
        </tbody>
      </table>`,
  );

const row = ({ name, trigger, retention }: TopicFacts): string =>
  `          <tr><th scope="row"><a href="/docs/events/${name}"><code>${name}</code></a></th><td>${prose(trigger)}</td><td>${prose(retention)}</td></tr>`;

const fileLink = (file: string): string => `<a href="/docs/protos/${file}"><code>${file}</code></a>`;

/** The page of a topic. */
export const topicPage = (topic: TopicFacts): string =>
  page(
    topic.address,
    `<p><a href="/docs/events">All topics</a></p>
      <table>
        <tbody>
          <tr><th scope="row">Published by</th><td>${prose(topic.publisher)}</td></tr>
          <tr><th scope="row">When</th><td>${prose(topic.trigger)}</td></tr>
          <tr><th scope="row">Key</th><td>${prose(topic.key)}</td></tr>
          <tr><th scope="row">Order</th><td>Records of a key are in order. <code>ce_sequence</code> is ${prose(topic.sequence)}.</td></tr>
          <tr><th scope="row">Delivery</th><td>At least once: a repeat has the same <code>ce_id</code>.</td></tr>
          <tr><th scope="row">Kept</th><td>${prose(topic.retention)}</td></tr>
          <tr><th scope="row">Message</th><td><code>${topic.message}</code></td></tr>
          <tr><th scope="row">Files</th><td>${topic.files.map(fileLink).join("<br>")}</td></tr>
        </tbody>
      </table>
      <h2>Sample</h2>
      <p>In the JSON form of protobuf, with a value in each field.</p>
      <pre>${escaped(JSON.stringify(topic.sample, null, 2))}</pre>
      <h2>Schema</h2>
      <pre>${escaped(topic.proto)}</pre>`,
  );
