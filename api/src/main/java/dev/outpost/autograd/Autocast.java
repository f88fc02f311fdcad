package dev.outpost.autograd;

import dev.outpost.internal.CastRules;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes products in 16-bit floats and ops that need more precision in float32 (torch.autocast). Inside, matrix products,
 * convolutions and attention cast float32 operands to the lower dtype; exponentials, logarithms, powers, sums, products and norms of
 * 16-bit floats are computed in float32. Parameters and their gradients keep their dtype. float64 and integer operands are not cast.
 *
 * <p>It applies to the ops that this thread records inside the body, but not to backward. The trace of a program starts without
 * autocast, so use it inside the program's function. With float16, gradients need a {@code GradScaler}.
 */
public final class Autocast {
    private Autocast() {}

    /**
     * Runs the body with a lower dtype, {@link DType#BFLOAT16} or {@link DType#FLOAT16}.
     *
     * {@snippet file="TrainingExamplesTest.java" region="autocast"}
     */
    public static <T extends @Nullable Object> T with(DType dtype, Supplier<T> body) {
        if (dtype != DType.BFLOAT16 && dtype != DType.FLOAT16) {
            throw new OpException("autocast", "bfloat16 or float16 is needed, got " + dtype);
        }
        return CastRules.during(dtype, body);
    }

    /** Runs the body without autocast, also inside {@link #with}. */
    public static <T extends @Nullable Object> T without(Supplier<T> body) {
        return CastRules.during(null, body);
    }

    /** True if this thread uses autocast. */
    public static boolean isEnabled() {
        return CastRules.isEnabled();
    }
}
