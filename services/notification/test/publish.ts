import { connectKafka, createProducer, type Topic } from "@asset-register/events";
import { testServers } from "@asset-register/harness";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { SightingEventSchema } from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

export type Published<S extends DescMessage> = {
  topic: Topic<S>;
  workspaceId: string;
  subject: string;
  sequence: number;
  type: string;
  message: MessageInitShape<S> | undefined;
  id?: string;
};

type Change = NonNullable<MessageInitShape<typeof SightingEventSchema>["change"]>;

export type Read = {
  workspaceId: string;
  sequence: number;
  assetId?: string;
  epc?: string;
  zoneId?: string;
  locationId?: string;
  at?: Date;
  receivedAt?: Date;
  change: Change;
};

/** Puts events on the topics, as the services that own them do. */
export async function createPublisher(prefix: string) {
  const logger = createLogger({ service: "publisher", level: "error" });
  const kafka = connectKafka({
    brokers: testServers().kafkaBrokers,
    clientId: "publisher",
    topicPrefix: prefix,
    logger,
  });
  const producer = createProducer({
    kafka,
    logger,
    metrics: createMetrics({ service: "publisher" }),
    topics: Object.values(topics).filter(
      (topic) => topic !== topics.readerEvent && topic !== topics.tag && topic !== topics.reader,
    ),
  });
  await producer.connect();

  async function publish<S extends DescMessage>(...events: Published<S>[]): Promise<void> {
    await producer.send(
      events.map(({ topic, workspaceId, subject, sequence, type, message, id = newId("msg") }) => ({
        topic,
        key: `${workspaceId}:${subject}`,
        value: message === undefined ? null : toBinary(topic.schema, create(topic.schema, message)),
        headers: {
          ce_specversion: "1.0",
          ce_id: id,
          ce_type: `com.assetregister.${type}`,
          ce_source: "test",
          ce_subject: subject,
          ce_time: new Date().toISOString(),
          ce_workspaceid: workspaceId,
          ce_sequence: String(sequence),
          ce_epoch: "0",
          ce_dataschema: `/${topic.schema.typeName}`,
          "content-type": "application/protobuf",
        },
      })),
    );
  }

  return {
    publish,

    /** An asset's movement from one location to another. */
    movement: (workspaceId: string, assetId: string, sequence: number, id = newId("msg")) => ({
      topic: topics.movement,
      workspaceId,
      subject: assetId,
      sequence,
      id,
      type: "asset.moved",
      message: {
        change: {
          case: "moved" as const,
          value: {
            movement: {
              id: newId("mov"),
              assetId,
              fromLocationId: "loc_a",
              toLocationId: "loc_b",
              reason: "transfer",
              at: timestampFromDate(new Date()),
              by: { kind: ActorKind.USER, id: "usr_1" },
            },
          },
        },
      },
    }),

    async zone(workspaceId: string, zoneId = newId("zon")): Promise<string> {
      await publish({
        topic: topics.zone,
        workspaceId,
        subject: zoneId,
        sequence: 1,
        type: "zone.created",
        message: { state: { id: zoneId, name: "Gate", rev: 1n }, change: { case: "created", value: {} } },
      });
      return zoneId;
    },

    async sightings(...reads: Read[]): Promise<void> {
      await publish(
        ...reads.map(({ workspaceId, sequence, change, assetId = "", epc = "E1", ...read }) => ({
          topic: topics.sighting,
          workspaceId,
          subject: assetId === "" ? epc : assetId,
          sequence,
          type: `sighting.${change.case}`,
          message: {
            sighting: {
              epc,
              assetId,
              readerId: "rdr_1",
              zoneId: read.zoneId ?? "",
              locationId: read.locationId ?? "",
              at: timestampFromDate(read.at ?? new Date()),
              receivedAt: timestampFromDate(read.receivedAt ?? new Date()),
              eventId: newId("evt"),
            },
            change,
          },
        })),
      );
    },

    close: () => producer.disconnect(),
  };
}
