import {
  ActorKind,
  ActorSchema,
  type Actor as ProtoActor,
} from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { type Money, MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import { type PageInfo, PageInfoSchema } from "@asset-register/proto/assetregister/common/v1/page_pb";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Actor } from "../domain/actor.ts";
import type { PageOf } from "../domain/page.ts";

const actorKinds = {
  user: ActorKind.USER,
  api_key: ActorKind.API_KEY,
  reader: ActorKind.READER,
  service: ActorKind.SERVICE,
  operator: ActorKind.OPERATOR,
} as const satisfies Record<Actor["kind"], ActorKind>;

export function encodeActor(actor: Actor): ProtoActor {
  return create(ActorSchema, { kind: actorKinds[actor.kind], id: actor.id });
}

export function encodeInstant(date: Date | undefined): Timestamp | undefined {
  return date && timestampFromDate(date);
}

export function encodeMoney(minorUnits: number | undefined, currency: string): Money | undefined {
  return minorUnits === undefined
    ? undefined
    : create(MoneySchema, { minorUnits: BigInt(minorUnits), currency });
}

export function encodePage(found: PageOf<unknown>): PageInfo {
  return create(PageInfoSchema, {
    page: found.page,
    limit: found.limit,
    total: BigInt(found.total),
    nextCursor: found.nextCursor,
  });
}
