/** Readers and writers of the binary format, with bounds checks, and byte ranges that are shared without copying. */
@NullMarked
package dev.outpost.protocol.bytes;

import org.jspecify.annotations.NullMarked;
