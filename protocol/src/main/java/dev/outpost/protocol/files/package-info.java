/** The formats of files with tensors that clients and runtimes both read and write. */
@NullMarked
package dev.outpost.protocol.files;

import org.jspecify.annotations.NullMarked;
