/** What a machine tells whoever profiles a session: what its worker did, and when by the machine's clock. */
package dev.outpost.protocol.trace;
