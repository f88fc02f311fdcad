package dev.outpost.cli.parity;

import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;

/** Where a tensor lies in a safetensors file: {@code [begin, end)}, counted from the end of the header. */
record SafetensorsEntry(DType dtype, Shape shape, long begin, long end) {
    long bytes() {
        return end - begin;
    }
}
