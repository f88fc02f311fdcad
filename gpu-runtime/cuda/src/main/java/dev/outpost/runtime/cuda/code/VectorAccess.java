package dev.outpost.runtime.cuda.code;

/** Neighbouring elements that are read or written at once, and so lie at a multiple of their size. */
record VectorAccess(CudaType word, int lanes) {
    String name() {
        return word.stored() + "x" + lanes;
    }

    String declaration() {
        int bytes = lanes * word.bytes();
        return "typedef struct __align__(" + bytes + ") { " + word.stored() + " v[" + lanes + "]; } " + name() + ";";
    }
}
