/** A provider of a backend's machines: a client of its API, which needs an address and a key. */
package dev.outpost.provider.outpost;
