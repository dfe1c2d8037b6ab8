import { Button, Drawer, Group } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../../api/client.ts";
import { DeliveryCard } from "../../../parts/delivery-card.tsx";
import { notifyDone, notifyFailed } from "../../../parts/notify.tsx";
import { PagedList } from "../../../parts/paged-list.tsx";
import { usePages } from "../../../parts/use-pages.ts";

/** The last messages to a webhook, and how its receiver answered. */
export function Deliveries({ webhook, onClose }: { webhook: Schemas["Webhook"]; onClose: () => void }) {
  const { t } = useTranslation();
  const { id } = webhook;
  const found = usePages("/webhooks/{id}/deliveries", id, (query, signal) =>
    api.GET("/webhooks/{id}/deliveries", { params: { path: { id }, query }, signal }),
  );
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={`${t("webhooks.deliveries")}: ${webhook.url}`}
      classNames={{ title: "cut" }}
    >
      <Group justify="flex-end" mb="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={15} aria-hidden />}
          loading={found.isRefetching}
          onClick={() => void found.refetch()}
        >
          {t("webhooks.refresh")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("webhooks.noDeliveries")}>
        {(delivery) => <Retried key={delivery.id} webhookId={id} delivery={delivery} />}
      </PagedList>
    </Drawer>
  );
}

/** A delivery of a webhook, which can be sent again. */
function Retried({ webhookId, delivery }: { webhookId: string; delivery: Schemas["Delivery"] }) {
  const { t } = useTranslation();
  const { id, type, status, message_id } = delivery;
  const retry = useMutation({
    mutationFn: () =>
      api.POST("/webhooks/{id}/deliveries/{delivery_id}/retry", {
        params: { path: { id: webhookId, delivery_id: id } },
      }),
    onSuccess: () => notifyDone(t("webhooks.retried")),
    onError: notifyFailed,
    onSettled: () => invalidate("/webhooks"),
  });
  return (
    <DeliveryCard
      delivery={delivery}
      actions={
        status !== "pending" && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${t("webhooks.retry")}: ${type} ${message_id}`}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t("webhooks.retry")}
          </Button>
        )
      }
    />
  );
}
