import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchFile } from "../api/download.ts";

/** The address of a picture that needs the access token, as long as it is shown. */
export function useImage(path: string | undefined, version: string): string | undefined {
  const { data } = useQuery({
    queryKey: ["file", path, version],
    queryFn: ({ signal }) => fetchFile(path ?? "", signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return path === undefined ? undefined : url;
}
