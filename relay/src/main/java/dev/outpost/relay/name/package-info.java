/** Server names that name a machine's address. Whoever signs them needs nothing else of the relay. */
package dev.outpost.relay.name;
