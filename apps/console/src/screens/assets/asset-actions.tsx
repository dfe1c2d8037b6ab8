import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { CheckOutDialog } from "../../parts/custody/check-out-dialog.tsx";
import { MoveDialog } from "../../parts/custody/move-dialog.tsx";
import { openCheckout, ReturnDialog } from "../../parts/custody/return-dialog.tsx";
import { DeleteDialog, DisposeDialog, StatusDialog } from "./asset-dialogs.tsx";
import { AssetForm } from "./asset-form.tsx";

type Dialog = "edit" | "checkOut" | "return" | "move" | "setStatus" | "dispose" | "delete";

/** The actions that the user may do with an asset. The most frequent action is a button, the others are a menu. */
export function AssetActions({ asset }: { asset: Schemas["Asset"] }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [dialog, setDialog] = useState<Dialog>();
  const props = { asset, onClose: () => setDialog(undefined) };
  const isOut = asset.current_checkout !== null;
  const main = isOut ? "return" : "checkOut";
  const toLabel = (props: object) => <Link {...props} to="/labels" search={{ asset: asset.id }} />;
  if (!may("edit"))
    return (
      <Button variant="default" renderRoot={toLabel}>
        {t("asset.label")}
      </Button>
    );
  return (
    <>
      <Button onClick={() => setDialog(main)}>{t(`asset.${main}`)}</Button>
      <Button variant="default" onClick={() => setDialog("edit")}>
        {t("action.edit")}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t("action.more")}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item renderRoot={toLabel}>{t("asset.label")}</Menu.Item>
          <Menu.Item onClick={() => setDialog("move")}>{t("asset.move")}</Menu.Item>
          <Menu.Item onClick={() => setDialog("setStatus")}>{t("asset.setStatus")}</Menu.Item>
          {(may("finance") || may("delete")) && <Menu.Divider />}
          {may("finance") && <Menu.Item onClick={() => setDialog("dispose")}>{t("asset.dispose")}</Menu.Item>}
          {may("delete") && (
            <Menu.Item color="red" onClick={() => setDialog("delete")}>
              {t("action.delete")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === "edit" && <AssetForm {...props} />}
      {dialog === "checkOut" && <CheckOutDialog assets={[asset]} onClose={props.onClose} />}
      {dialog === "return" && asset.current_checkout && (
        <ReturnDialog checkouts={[openCheckout(asset, asset.current_checkout)]} onClose={props.onClose} />
      )}
      {dialog === "move" && <MoveDialog {...props} />}
      {dialog === "setStatus" && <StatusDialog {...props} />}
      {dialog === "dispose" && <DisposeDialog {...props} />}
      {dialog === "delete" && <DeleteDialog {...props} />}
    </>
  );
}
