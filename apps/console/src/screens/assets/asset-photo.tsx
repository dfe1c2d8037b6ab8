import { Button, Card, Center, FileButton, Image, Text } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../api/client.ts";
import { toForm } from "../../api/form.ts";
import { useSession } from "../../api/use-session.ts";
import { notifyFailed } from "../../parts/notify.tsx";
import { useImage } from "../../parts/use-image.ts";

/** The photo of an asset, and the way to change it. */
export function AssetPhoto({ asset }: { asset: Schemas["Asset"] }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [busy, setBusy] = useState(false);
  const path = asset.image === null ? undefined : `/assets/${asset.id}/image`;
  const url = useImage(path, String(asset.rev));
  const upload = async (file: File | null): Promise<void> => {
    if (file === null) return;
    setBusy(true);
    await api
      .POST("/assets/{id}/image", {
        params: { path: { id: asset.id } },
        body: { file: "" },
        bodySerializer: () => toForm({ file }),
      })
      .then(() => invalidate("/assets"))
      .catch(notifyFailed);
    setBusy(false);
  };
  return (
    <Card withBorder padding={0}>
      {url === undefined ? (
        <Center h={200} c="dimmed">
          <div>
            <Center>
              <IconPhoto size={34} stroke={1.2} aria-hidden />
            </Center>
            <Text size="sm">{t("asset.noPhoto")}</Text>
          </div>
        </Center>
      ) : (
        <Image src={url} h={240} fit="contain" alt={asset.name} />
      )}
      {may("edit") && (
        <FileButton onChange={(file) => void upload(file)} accept="image/png,image/jpeg,image/webp">
          {(props) => (
            <Button {...props} variant="subtle" size="xs" radius={0} loading={busy}>
              {t("asset.changePhoto")}
            </Button>
          )}
        </FileButton>
      )}
    </Card>
  );
}
