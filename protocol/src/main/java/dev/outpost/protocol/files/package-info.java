/** Files that hold tensors, and the bytes they lie in: what clients and runtimes both read and write. */
@NullMarked
package dev.outpost.protocol.files;

import org.jspecify.annotations.NullMarked;
