import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { CHANGED, changeRecord, readRecord } from "../../parts/collections.ts";
import { RecordSelect } from "../../parts/record-select.tsx";
import { moveBody, targetsFor } from "./place-move.ts";
import { collectionOf, type Place } from "./place-tree.ts";

type Props = { place: Place; to?: string; onClose: () => void };

/** Moves a place, with all that is in it. The assets follow shortly after. */
export function MovePlace({ place, to: dropped, onClose }: Props) {
  const { t } = useTranslation();
  const [to, setTo] = useState(dropped ?? null);
  const { data } = queries.useQuery("get", "/locations/tree", {});
  const targets = useMemo(() => targetsFor(place, (data?.data ?? []) as unknown as Place[]), [place, data]);
  const target = targets.find(({ id }) => id === to);
  const collection = collectionOf[place.type];
  return (
    <ActionDialog
      title={t("places.move", { name: place.name })}
      submit={t("asset.move")}
      done={t("issue.moved", { name: place.name })}
      changes={CHANGED}
      disabled={target === undefined}
      onClose={onClose}
      action={async () => {
        if (target === undefined) return;
        const record = await readRecord(collection, place.id);
        await changeRecord(collection, record, moveBody(place, target));
      }}
    >
      <RecordSelect
        choices={targets}
        label={t("places.moveTo")}
        description={t("places.moveHint")}
        value={to}
        onChange={setTo}
        // The list of a select opens with its focus. After a drop there is nothing to choose.
        data-autofocus={dropped === undefined || undefined}
      />
    </ActionDialog>
  );
}
