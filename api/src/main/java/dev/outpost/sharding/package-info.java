/** The placement of tensors on the machines of a group. */
@NullMarked
package dev.outpost.sharding;

import org.jspecify.annotations.NullMarked;
