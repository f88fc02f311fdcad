/** Machines of a local network: their announcements, and the pairing of a client with one. */
@NullMarked
package dev.outpost.channel.lan;

import org.jspecify.annotations.NullMarked;
