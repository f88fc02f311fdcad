package dev.outpost.runtime.onnx;

import ai.onnxruntime.OrtEnvironment;
import dev.outpost.runtime.model.ModelHost;
import dev.outpost.runtime.model.ModelLibrary;

/**
 * ONNX Runtime in a process for each session, because some damaged models crash the process that opens or runs them. Without
 * optimizations, a model computes the same bits as its parts one after the other, wherever it is cut. Optimizations fuse nodes, which
 * changes the rounding between them.
 */
public final class OnnxLibrary implements ModelLibrary {
    private static final String NAME = "ONNX Runtime";

    @Override
    public String name() {
        String version = OrtEnvironment.class.getPackage().getImplementationVersion();
        return version == null ? NAME : NAME + " " + version;
    }

    @Override
    public ModelHost host() {
        return new OnnxHost();
    }
}
