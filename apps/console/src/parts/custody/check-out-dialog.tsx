import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { AssetsSelect } from "../asset-select.tsx";
import { runEach } from "../run-each.ts";
import type { NamedAsset } from "../use-found-assets.ts";
import { CUSTODY_CHANGES } from "./custody-changes.ts";
import { emptyIssue, isComplete, issueBody } from "./issue.ts";
import { IssueFields } from "./issue-fields.tsx";

type Props = {
  /** Absent: they are chosen in the dialog. */
  assets?: readonly NamedAsset[];
  onClose: () => void;
};

/** Issues assets to a person, a department, a place or somebody outside. Those that fail stay, with the reason. */
export function CheckOutDialog({ assets: given, onClose }: Props) {
  const { t } = useTranslation();
  const [assets, setAssets] = useState<readonly NamedAsset[]>(given ?? []);
  const [issue, setIssue] = useState(emptyIssue);
  const [first] = assets;
  const name = first !== undefined && assets.length === 1 ? first.name : undefined;
  return (
    <ActionDialog
      title={name === undefined ? t("asset.checkOut") : `${t("asset.checkOut")}: ${name}`}
      submit={t("asset.checkOut")}
      done={name === undefined ? t("issue.doneMany", { count: assets.length }) : t("issue.done", { name })}
      changes={CUSTODY_CHANGES}
      disabled={assets.length === 0 || !isComplete(issue)}
      onClose={onClose}
      action={() =>
        runEach(
          assets,
          ({ id }) =>
            api.POST("/assets/{id}/checkouts", { params: { path: { id } }, body: issueBody(issue) }),
          (id) => setAssets((left) => left.filter((one) => one.id !== id)),
        )
      }
    >
      {(given === undefined || given.length > 1) && (
        <AssetsSelect label={t("issue.assets")} value={assets} onChange={setAssets} required />
      )}
      <IssueFields value={issue} onChange={setIssue} />
    </ActionDialog>
  );
}
