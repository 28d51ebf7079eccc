import { playRows } from "./play-rows.js";
import { rowsOfWalletImports } from "./rows-of-wallet-imports.js";

playRows(rowsOfWalletImports);
