package dev.outpost.runtime.cuda.code;

/** Neighbouring elements that are read or written at once, and so are aligned to their total size. */
record VectorAccess(CudaType type, int lanes) {
    String name() {
        return type.stored() + "x" + lanes;
    }

    String declaration() {
        int bytes = lanes * type.bytes();
        return "typedef struct __align__(" + bytes + ") { " + type.stored() + " v[" + lanes + "]; } " + name() + ";";
    }
}
