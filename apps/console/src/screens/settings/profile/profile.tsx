import { Button, Card, Grid, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../../api/use-session.ts";
import { Security } from "../security/security.tsx";
import { Devices } from "./devices.tsx";
import { EmailDialog } from "./email-dialog.tsx";
import { PasswordForm } from "./password-form.tsx";

/** The user's own account: the address, the password, and where it is signed in. */
export function Profile() {
  const { t } = useTranslation();
  const { session } = useSession();
  const [open, setOpen] = useState(false);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack>
          <Card withBorder>
            <Text fw={600} className="wrap">
              {session?.user.name}
            </Text>
            <Group justify="space-between" gap="xs">
              <Text size="sm" c="dimmed" className="wrap">
                {session?.user.email}
              </Text>
              <Button size="xs" variant="default" onClick={() => setOpen(true)}>
                {t("profile.emailChange")}
              </Button>
            </Group>
          </Card>
          <Card withBorder>
            <Title order={2} size="h5" mb="sm">
              {t("profile.password")}
            </Title>
            <PasswordForm />
          </Card>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Card withBorder mb="md">
          <Title order={2} size="h5" mb={4}>
            {t("mfa.title")}
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            {t("mfa.text")}
          </Text>
          <Security />
        </Card>
        <Title order={2} size="h5" mb="sm">
          {t("profile.devices")}
        </Title>
        <Devices />
      </Grid.Col>
      {open && <EmailDialog onClose={() => setOpen(false)} />}
    </Grid>
  );
}
