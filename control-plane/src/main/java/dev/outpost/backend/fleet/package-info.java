/** Drives the suppliers of machines: what the rows say is asked of them, and what they answer goes into the rows. */
package dev.outpost.backend.fleet;
