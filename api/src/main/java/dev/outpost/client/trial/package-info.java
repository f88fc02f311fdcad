/** Finds machines that answer their client and send other machines what they should not. */
@NullMarked
package dev.outpost.client.trial;

import org.jspecify.annotations.NullMarked;
