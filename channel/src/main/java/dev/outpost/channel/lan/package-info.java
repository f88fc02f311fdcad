/** Machines of a local network: what they announce of themselves, and how a client is paired with one. */
@NullMarked
package dev.outpost.channel.lan;

import org.jspecify.annotations.NullMarked;
