package dev.outpost.torch;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** The position of a tensor in a safetensors file: {@code [begin, end)}, counted from the end of the header. */
record SafetensorsEntry(DType dtype, Shape shape, long begin, long end) {
    long bytes() {
        return end - begin;
    }
}
