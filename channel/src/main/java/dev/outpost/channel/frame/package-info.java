/** The frames of a connection, their wire format, and the negotiation of the protocol version. */
@NullMarked
package dev.outpost.channel.frame;

import org.jspecify.annotations.NullMarked;
