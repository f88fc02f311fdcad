/** The parts of connections that clients and runtimes share: lanes, frame channels and trusted certificates. */
@NullMarked
package dev.outpost.channel;

import org.jspecify.annotations.NullMarked;
