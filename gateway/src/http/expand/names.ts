import { limits } from "@asset-register/proto/limits";
import type { CallOptions } from "@asset-register/rpc";
import type { Clients } from "../../clients.ts";
import { type Owner, ownerOf } from "./id-properties.ts";

/** A record with its name. An asset has a number too. */
export type Named = { id: string; name: string; number?: string };

/**
 * The names of records, by id: one call for each owner, and for each 1,000 ids. A name is missing if its owner does not
 * answer within the deadline of its client, or knows no such id.
 */
export async function resolveNames(
  { names }: Pick<Clients, "names">,
  ids: ReadonlySet<string>,
  options: CallOptions,
): Promise<ReadonlyMap<string, Named>> {
  const calls = [...Map.groupBy(ids, ownerOf)].flatMap(([owner, owned]) =>
    owner === undefined ? [] : chunksOf(owned, limits.ids).map((part) => ask(names, owner, part, options)),
  );
  const answers = await Promise.allSettled(calls);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  return new Map(found.map((named) => [named.id, named]));
}

async function ask(
  names: Clients["names"],
  owner: Owner,
  ids: string[],
  options: CallOptions,
): Promise<Named[]> {
  // The services have descriptors of their own, with the same method.
  if (owner === "register") {
    const { records } = await names.register.resolveNames({ ids }, options);
    return records.map(({ id, name, number }) =>
      number === undefined ? { id, name } : { id, number, name },
    );
  }
  const { records } = await names[owner].resolveNames({ ids }, options);
  return records.map(({ id, name }) => ({ id, name }));
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
