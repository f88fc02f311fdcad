/** A process that forwards TLS connections to machines without decrypting them. */
package dev.outpost.relay;
