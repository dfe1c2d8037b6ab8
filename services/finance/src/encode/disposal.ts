import type { DisposalSchema } from "@asset-register/proto/assetregister/finance/v1/disposal_pb";
import { encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Disposal } from "../domain/disposals/disposal.ts";
import { encodeJournal } from "./journal.ts";
import { bookNames, disposalMethodNames, disposalStatusNames } from "./names.ts";

export function encodeDisposal(
  disposal: Disposal,
  currency: string,
): MessageInitShape<typeof DisposalSchema> {
  const { id, assetId, date, bookedIn, journal = [] } = disposal;
  return {
    ...{ id, assetId, date, bookedIn },
    book: bookNames.encode(disposal.book),
    method: disposalMethodNames.encode(disposal.method),
    status: disposalStatusNames.encode(disposal.status),
    proceeds: encodeMoney(disposal.proceeds, currency),
    nbvAtDisposal: encodeMoney(disposal.nbvAtDisposal, currency),
    accumulated: encodeMoney(disposal.accumulated, currency),
    gainLoss: encodeMoney(disposal.gainLoss, currency),
    journal: encodeJournal(journal, currency),
  };
}
