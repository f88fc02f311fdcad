/** The questions of a client about the places from which a machine reads models, and the answers. */
@NullMarked
package dev.outpost.protocol.source;

import org.jspecify.annotations.NullMarked;
