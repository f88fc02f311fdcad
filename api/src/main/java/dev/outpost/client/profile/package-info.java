/** Writes a trace of the work of client, wire and engine for Chrome and Perfetto, by the client's clock. */
package dev.outpost.client.profile;
