import { expect, it } from "vitest";
import { walletIn } from "./protect-account.js";

const [first, imported, other] = [
  "11111111111111111111111111111112",
  "11111111111111111111111111111113",
  "11111111111111111111111111111114",
] as const;
const wallet = (address: string, imported_at: number | null = null) => ({ id: address, address, imported_at });

it("takes the wallet of a session that signs and was not imported, else the one that was", () => {
  const wallets = [wallet(first), wallet(imported, 1)];
  expect(walletIn({ wallets }, [first, imported])).toBe(first);
  expect(walletIn({ wallets }, [imported])).toBe(imported);
  expect(walletIn({ wallets }, [other])).toBe(first);
  expect(() => walletIn({ wallets: [...wallets, wallet(other)] }, [first, imported, other])).toThrow("serviceSigner");
});
