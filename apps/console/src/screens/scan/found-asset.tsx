import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { IconTool } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { CheckOutDialog } from "../../parts/custody/check-out-dialog.tsx";
import { MoveDialog } from "../../parts/custody/move-dialog.tsx";
import { openCheckout, ReturnDialog } from "../../parts/custody/return-dialog.tsx";
import rowClasses from "../../parts/row.module.css";
import { AssetBadge } from "../../parts/status-badge.tsx";
import { useImage } from "../../parts/use-image.ts";
import { useTenant } from "../../parts/workspace.ts";
import { AssetFacts } from "../assets/asset-facts.tsx";
import { Thumbnail } from "../assets/thumbnail.tsx";
import { FaultDialog } from "./fault-dialog.tsx";

type Dialog = "checkOut" | "return" | "move" | "fault";

/** The asset that was scanned, and what is done next with it. */
export function FoundAsset({ asset }: { asset: Schemas["TaggedAsset"] }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [dialog, setDialog] = useState<Dialog>();
  const status = useTenant()?.statuses.find(({ id }) => id === asset.status_id);
  const picture = useImage(
    asset.image === null ? undefined : `/assets/${asset.id}/image?size=small`,
    String(asset.rev),
  );
  const onClose = (): void => setDialog(undefined);
  const main = asset.current_checkout === null ? "checkOut" : "return";
  return (
    <Stack gap="sm" role="region" aria-label={t("scan.found")}>
      <Card withBorder>
        <Group wrap="nowrap" align="flex-start">
          <Thumbnail src={picture} />
          <Stack gap={2} miw={0} flex={1}>
            <Title order={2} size="h3">
              <Link to="/assets/$id" params={{ id: asset.id }} className={rowClasses.name}>
                {asset.name}
              </Link>
            </Title>
            <Text size="sm" c="dimmed" className="cut">
              {[asset.number, asset.serial_number].filter(Boolean).join(" · ")}
            </Text>
            <AssetBadge status={status} checkout={asset.current_checkout} />
          </Stack>
        </Group>
        {may("edit") && asset.disposed === null && (
          <Group mt="md" gap="xs" grow preventGrowOverflow={false}>
            <Button onClick={() => setDialog(main)}>{t(`asset.${main}`)}</Button>
            <Button variant="default" onClick={() => setDialog("move")}>
              {t("asset.move")}
            </Button>
            <Button
              variant="default"
              leftSection={<IconTool size={17} aria-hidden />}
              onClick={() => setDialog("fault")}
            >
              {t("scan.fault")}
            </Button>
          </Group>
        )}
      </Card>
      <AssetFacts asset={asset} />
      {dialog === "checkOut" && <CheckOutDialog assets={[asset]} onClose={onClose} />}
      {dialog === "return" && asset.current_checkout && (
        <ReturnDialog checkouts={[openCheckout(asset, asset.current_checkout)]} onClose={onClose} />
      )}
      {dialog === "move" && <MoveDialog asset={asset} onClose={onClose} />}
      {dialog === "fault" && <FaultDialog asset={asset} onClose={onClose} />}
    </Stack>
  );
}
