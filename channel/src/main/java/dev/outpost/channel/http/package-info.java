/** Reading bodies of answers that may stall. */
@NullMarked
package dev.outpost.channel.http;

import org.jspecify.annotations.NullMarked;
