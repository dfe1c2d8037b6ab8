import { once } from "node:events";
import { connect } from "node:net";
import { Kafka, logLevel } from "kafkajs";

/** Of the Kafka protocol: LeaveGroup, in its first version with one member. */
const LEAVE_GROUP = 13;
const VERSION = 1;

/**
 * Lets the members of the groups of a service leave, as they do when they stop. A killed member stays until its session
 * ends, after 30 s, and its group waits for it. A member that lives joins again.
 */
export async function leaveGroups(brokers: string[], service: string): Promise<void> {
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const known = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
    const own = known.filter((group) => group === service || group.startsWith(`${service}-`));
    const { groups } = await admin.describeGroups(own);
    for (const { groupId, members } of groups) {
      for (const { memberId } of members) await leave(brokers[0] ?? "", groupId, memberId);
    }
  } finally {
    await admin.disconnect();
  }
}

/** kafkajs can't send this request for another member. */
async function leave(broker: string, group: string, member: string): Promise<void> {
  const body = [text("test"), text(group), text(member)];
  const header = Buffer.alloc(12);
  header.writeInt32BE(8 + Buffer.concat(body).length);
  header.writeInt16BE(LEAVE_GROUP, 4);
  header.writeInt16BE(VERSION, 6);
  const { hostname, port } = new URL(`kafka://${broker}`);
  const socket = connect(Number(port), hostname);
  socket.write(Buffer.concat([header, ...body]));
  await once(socket, "data");
  socket.destroy();
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeInt16BE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value)]);
}
