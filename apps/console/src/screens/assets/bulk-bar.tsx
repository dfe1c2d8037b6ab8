import { limits } from "@asset-register/proto/limits";
import { Button, Group, Modal, Select, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../api/client.ts";
import { CUSTODY_CHANGES } from "../../parts/custody/custody-changes.ts";
import { notifyDone, notifyFailed } from "../../parts/notify.tsx";
import { CustodianSelect, PlaceSelect } from "../../parts/record-select.tsx";
import { SelectionBar } from "../../parts/selection-bar.tsx";
import { useTenant } from "../../parts/workspace.ts";

type Change = Schemas["AssetChanges"]["change"];

type Field = "location_id" | "custodian_id" | "status_id";

const texts = {
  location_id: "assets.bulkMove",
  custodian_id: "assets.bulkAssign",
  status_id: "assets.bulkStatus",
} as const satisfies Record<Field, string>;

/** Changes the selected assets at once: place, person or status. */
export function BulkBar({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const [field, setField] = useState<Field>();
  return (
    <>
      <SelectionBar count={ids.length} onClear={onDone}>
        {(Object.keys(texts) as Field[]).map((one) => (
          <Button key={one} size="xs" variant="light" onClick={() => setField(one)}>
            {t(texts[one])}
          </Button>
        ))}
        <Button component={Link} to="/labels" state={{ labelledIds: ids }} size="xs" variant="light">
          {t("nav.labels")}
        </Button>
      </SelectionBar>
      {field && <BulkDialog field={field} ids={ids} onClose={() => setField(undefined)} onDone={onDone} />}
    </>
  );
}

/** Changes any number of assets, so many in a request as the API takes. */
async function changeAll(ids: readonly string[], change: Change) {
  const results: Schemas["ChangedAssets"]["results"] = [];
  for (let from = 0; from < ids.length; from += limits.assets) {
    const body = { asset_ids: ids.slice(from, from + limits.assets), change };
    const { data } = await api.POST("/assets/bulk/update", { body });
    results.push(...(data?.results ?? []));
  }
  return results;
}

type DialogProps = { field: Field; ids: string[]; onClose: () => void; onDone: () => void };

function BulkDialog({ field, ids, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState<string | null>(null);
  const statuses = useTenant()?.statuses ?? [];
  const update = useMutation({
    mutationFn: (change: Change) => changeAll(ids, change),
    onSuccess(results) {
      const rejected = results.filter((one) => one.status === "rejected");
      const changed = results.filter((one) => one.status === "changed").length;
      if (changed > 0) notifyDone(t("assets.bulkDone", { count: changed }));
      if (rejected.length > 0) {
        const reason = rejected[0]?.message ?? "";
        notifyFailed(t("assets.bulkRejected", { count: rejected.length, reason }));
      }
      onDone();
    },
    onError: notifyFailed,
    onSettled: () => invalidate(...CUSTODY_CHANGES),
  });
  const props = { label: t(texts[field]), value, onChange: setValue, "data-autofocus": true };
  return (
    <Modal opened onClose={onClose} title={t("assets.selected", { count: ids.length })}>
      <Stack>
        {field === "location_id" && <PlaceSelect {...props} />}
        {field === "custodian_id" && <CustodianSelect {...props} />}
        {field === "status_id" && (
          <Select {...props} data={statuses.map(({ id, name }) => ({ value: id, label: name }))} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button
            disabled={value === null}
            loading={update.isPending}
            onClick={() => update.mutate({ [field]: value } as Change)}
          >
            {t("action.apply")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
