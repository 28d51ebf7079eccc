import { playRows } from "./play-rows.js";
import { rowsOfVirtualAccounts } from "./rows-of-virtual-accounts.js";

playRows(rowsOfVirtualAccounts);
