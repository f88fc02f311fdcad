/** What clients and runtimes share about connections: lanes, frame channels and trusted certificates. */
@NullMarked
package dev.outpost.channel;

import org.jspecify.annotations.NullMarked;
