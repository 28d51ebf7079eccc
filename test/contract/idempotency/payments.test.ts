import { playRows } from "./play-rows.js";
import { rowsOfPayments } from "./rows-of-payments.js";

playRows(rowsOfPayments);
