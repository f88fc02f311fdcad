package dev.outpost.runtime.onnx;

import ai.onnxruntime.OrtEnvironment;
import dev.outpost.runtime.model.ModelHost;
import dev.outpost.runtime.model.ModelLibrary;

/**
 * ONNX Runtime, in a process for each session: some damaged models end the process that opens or runs them. Where nothing is
 * optimized, a model computes the bits that its parts compute one after the other, wherever it is cut; optimizations fuse nodes that
 * round in between.
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
