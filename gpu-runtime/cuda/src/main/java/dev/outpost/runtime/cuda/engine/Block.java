package dev.outpost.runtime.cuda.engine;

/**
 * Memory of the device.
 *
 * @param address where it begins
 * @param bytes how large it is
 */
record Block(long address, long bytes) {}
