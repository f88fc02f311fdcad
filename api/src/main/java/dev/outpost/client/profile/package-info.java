/** Writes what client, wire and engine do as a trace that Chrome and Perfetto show, on the client's clock. */
package dev.outpost.client.profile;
