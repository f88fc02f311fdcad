/** The messages that clients and runtimes exchange, and the checks of their texts. */
@NullMarked
package dev.outpost.protocol.message;

import org.jspecify.annotations.NullMarked;
