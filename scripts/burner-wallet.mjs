// In a page: a wallet of others, from npm. Anza's burner wallet has a key of its own; their adapter makes a wallet of the Wallet Standard
// of it, and theirs is what registers it. The page is given its address, so that an account can be made for it.
import { UnsafeBurnerWalletAdapter } from "@solana/wallet-adapter-unsafe-burner";
import { SolanaWalletAdapterWallet } from "@solana/wallet-standard-wallet-adapter-base";
import { registerWallet } from "@wallet-standard/wallet";

const adapter = new UnsafeBurnerWalletAdapter();
await adapter.connect();
globalThis.burnerAddress = adapter.publicKey.toBase58();
registerWallet(new SolanaWalletAdapterWallet(adapter, "solana:localnet"));
