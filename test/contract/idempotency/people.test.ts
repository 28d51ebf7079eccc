import { playRows } from "./play-rows.js";
import { rowsOfPeople } from "./rows-of-people.js";

playRows(rowsOfPeople);
