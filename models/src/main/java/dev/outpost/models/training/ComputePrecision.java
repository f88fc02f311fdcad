package dev.outpost.models.training;

import dev.outpost.autograd.Autocast;
import dev.outpost.types.DType;
import java.util.function.Supplier;

/** The dtype of products in a training step. Trained parameters and their gradients stay float32. */
public enum ComputePrecision {
    FLOAT32,
    BFLOAT16,
    /** Losses are scaled, and steps whose gradients are not finite are skipped; see {@link dev.outpost.optim.GradScaler}. */
    FLOAT16;

    <T> T with(Supplier<T> body) {
        return switch (this) {
            case FLOAT32 -> body.get();
            case BFLOAT16 -> Autocast.with(DType.BFLOAT16, body);
            case FLOAT16 -> Autocast.with(DType.FLOAT16, body);
        };
    }
}
