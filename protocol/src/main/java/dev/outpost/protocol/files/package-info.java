/** Files that hold tensors, and the bytes they lie in: what clients and runtimes both read and write. */
package dev.outpost.protocol.files;
