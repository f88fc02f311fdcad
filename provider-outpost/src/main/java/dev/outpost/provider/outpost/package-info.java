/** Machines of a backend: a client of its API, for whoever has an address and a key. */
package dev.outpost.provider.outpost;
