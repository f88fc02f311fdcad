/** Elements around lines, images and volumes, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.padding;

import org.jspecify.annotations.NullMarked;
