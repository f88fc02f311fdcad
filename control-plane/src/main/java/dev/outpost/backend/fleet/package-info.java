/** Drives the suppliers of machines: carries out the commands of rows and writes the suppliers' answers into the rows. */
package dev.outpost.backend.fleet;
