/** The addresses that may be called on behalf of strangers. */
@NullMarked
package dev.outpost.channel.address;

import org.jspecify.annotations.NullMarked;
