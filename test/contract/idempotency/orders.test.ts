import { playRows } from "./play-rows.js";
import { rowsOfOrders } from "./rows-of-orders.js";

playRows(rowsOfOrders);
