/** Server names that encode a machine's address. Code that signs them needs nothing else of the relay. */
package dev.outpost.relay.name;
