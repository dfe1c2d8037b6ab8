import { Anchor, Box, Button, Divider, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import classes from "../../parts/public-page.module.css";
import { useDemo } from "../../parts/use-demo.ts";
import { SignInForm, useSignIn } from "./sign-in-form.tsx";

/** The first page: sign in, or open the demo by one click. */
export function SignIn() {
  const { t } = useTranslation();
  const demo = useDemo();
  const signingIn = useSignIn();
  useEffect(() => {
    document.title = `${t("signIn.title")} · ${t("app.name")}`;
  }, [t]);
  if (!window.isSecureContext)
    return (
      <Box component="main" className={classes.page}>
        <Text>{t("signIn.insecure")}</Text>
      </Box>
    );
  return (
    <Box component="main" className={classes.page}>
      <Box className={classes.card}>
        <img src="/app/icon.svg" alt="" width={44} height={44} />
        <Title order={1} mt="md">
          {t("app.name")}
        </Title>
        <Text c="dimmed" mb="lg">
          {t("signIn.subtitle")}
        </Text>
        <SignInForm {...signingIn} />
        {demo && (
          <>
            <Divider my="lg" />
            <Button
              variant="light"
              size="md"
              fullWidth
              loading={signingIn.busy}
              onClick={() => void signingIn.signIn(demo)}
            >
              {t("signIn.demo")}
            </Button>
            <Text size="xs" c="dimmed" ta="center" mt={6}>
              {t("signIn.demoHint")}
            </Text>
          </>
        )}
        <Text size="xs" c="dimmed" mt="lg" ta="center">
          <Anchor href="/docs" size="xs">
            API
          </Anchor>
        </Text>
      </Box>
    </Box>
  );
}
