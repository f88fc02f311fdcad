package dev.outpost.runtime.model;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Optional;
import java.util.ServiceLoader;

/** Finds the library that runs models, if this runtime has one. Thread-safe. */
public final class Models {
    private static final String GPU_ENGINE = "cuda";

    private final boolean isOnGpu;
    private volatile ModelLibrary found;

    /** @param engine the name of the engine that computes all other ops */
    public Models(String engine) {
        this.isOnGpu = engine.equals(GPU_ENGINE);
    }

    /** True if models run on a GPU. */
    public boolean isOnGpu() {
        return isOnGpu;
    }

    /** Returns the name of the library that runs models; empty if this runtime has none. Loads no library. */
    public static Optional<String> library() {
        return ServiceLoader.load(ModelLibrary.class).findFirst().map(ModelLibrary::name);
    }

    /** Returns the library that runs models. Fails if this runtime has none. */
    public ModelLibrary require() {
        ModelLibrary known = found;
        if (known == null) {
            known = ServiceLoader.load(ModelLibrary.class)
                    .findFirst()
                    .orElseThrow(() -> new OutpostException(
                            FaultKind.USER,
                            "model_open: this machine runs no ONNX models; ./outpost runtime --announce starts one that does,"
                                    + " and so does any runtime with outpost-runtime-onnx on its class path"));
            found = known;
        }
        return known;
    }
}
