import { Button, Card, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { BindDialog } from "../../parts/tags/bind-dialog.tsx";

/** A code that no asset has: it can be bound to one. */
export function UnknownCode({ code }: { code: string }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [binding, setBinding] = useState(false);
  return (
    <Card withBorder role="region" aria-label={t("scan.unknown")}>
      <Title order={2} size="h4">
        {t("scan.unknown")}
      </Title>
      <Text className="wrap" mt={4}>
        {t("scan.unknownText", { code })}
      </Text>
      {may("edit") && (
        <Button mt="md" onClick={() => setBinding(true)}>
          {t("scan.bind")}
        </Button>
      )}
      {binding && <BindDialog code={code} onClose={() => setBinding(false)} />}
    </Card>
  );
}
