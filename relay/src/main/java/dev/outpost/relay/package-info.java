/** A process that passes TLS connections through to machines, and never decrypts one. */
package dev.outpost.relay;
