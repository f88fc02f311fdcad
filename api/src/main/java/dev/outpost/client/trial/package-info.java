/** Finds machines that answer their client but send wrong values to other machines. */
@NullMarked
package dev.outpost.client.trial;

import org.jspecify.annotations.NullMarked;
