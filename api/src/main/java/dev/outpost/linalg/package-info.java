/**
 * Linear algebra, as in torch.linalg.
 */
@NullMarked
package dev.outpost.linalg;

import org.jspecify.annotations.NullMarked;
