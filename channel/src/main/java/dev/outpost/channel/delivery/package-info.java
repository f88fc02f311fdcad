/** Lanes that deliver each payload exactly once and in order, over one connection after the other. */
@NullMarked
package dev.outpost.channel.delivery;

import org.jspecify.annotations.NullMarked;
