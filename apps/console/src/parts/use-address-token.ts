import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** The token in the fragment of the address, which is in no log. It does not stay in the address bar and the history. */
export function useAddressToken(): string {
  const navigate = useNavigate();
  const [token] = useState(() => window.location.hash.replace(/^#(token=)?/, ""));
  useEffect(() => {
    void navigate({ to: ".", hash: "", replace: true });
  }, [navigate]);
  return token;
}
