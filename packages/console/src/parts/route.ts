import { useSyncExternalStore } from "react";

/** Where the reader is: `#/sandbox/accounts/ADDRESS?status=active`. */
export interface Route {
  readonly environment: string | undefined;
  /** The parts of the path behind the environment. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [environment, ...parts] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  return { environment, parts, query: new URLSearchParams(query) };
}

export function hrefOf(
  environment: string,
  parts: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const words = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const text = new URLSearchParams(words).toString();
  return `#/${[environment, ...parts].map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

/** The present route; what renders it follows the address bar. */
export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
