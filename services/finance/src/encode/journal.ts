import type { JournalLineSchema } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { JournalEntry } from "../domain/ledger/journal.ts";

export const encodeJournal = (
  entries: readonly JournalEntry[],
  currency: string,
): MessageInitShape<typeof JournalLineSchema>[] =>
  entries.map(({ amount, ...entry }) => ({ ...entry, amount: encodeMoney(amount, currency) }));
