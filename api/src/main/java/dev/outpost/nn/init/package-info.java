/** First values of parameters, as in {@code torch.nn.init}. */
@NullMarked
package dev.outpost.nn.init;

import org.jspecify.annotations.NullMarked;
