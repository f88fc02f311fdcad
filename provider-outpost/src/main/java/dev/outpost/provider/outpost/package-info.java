/** A provider of a backend's machines: a client of its API, which needs an address and a key. */
@NullMarked
package dev.outpost.provider.outpost;

import org.jspecify.annotations.NullMarked;
