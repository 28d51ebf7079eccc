import type { StandardWallet } from "@trellis/sdk";
import { useSyncExternalStore } from "react";
import { useConnection } from "./provider.js";

/** The wallets of the browser that can sign in here, in the order in which they came. None where there is no page. */
export function useWallets(): readonly StandardWallet[] {
  const { wallets } = useConnection();
  return useSyncExternalStore(wallets.subscribe, wallets.list, noWallets);
}

const none: readonly StandardWallet[] = [];
/** What a server renders. */
const noWallets = () => none;
