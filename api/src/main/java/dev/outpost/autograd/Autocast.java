package dev.outpost.autograd;

import dev.outpost.internal.CastRules;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes products in 16-bit floats and what needs more in float32 (torch.autocast). Inside, matrix products, convolutions and
 * attention take float32 operands in the lower dtype; exponentials, logarithms, powers, sums, products and norms of 16-bit floats
 * are computed in float32. Parameters and their gradients stay as they are. float64 and integers are left alone.
 *
 * <p>It is of this thread and of what is recorded inside; backward is not affected. A program that is traced begins without it, so
 * use it inside of the program's function. With float16, gradients need a {@code GradScaler}.
 */
public final class Autocast {
    private Autocast() {}

    /** Computes with a lower dtype, {@link DType#BFLOAT16} or {@link DType#FLOAT16}. */
    public static <T extends @Nullable Object> T with(DType dtype, Supplier<T> body) {
        if (dtype != DType.BFLOAT16 && dtype != DType.FLOAT16) {
            throw new OpException("autocast", "bfloat16 or float16 is needed, got " + dtype);
        }
        return CastRules.during(dtype, body);
    }

    /** Computes without it, also inside of {@link #with}. */
    public static <T extends @Nullable Object> T without(Supplier<T> body) {
        return CastRules.during(null, body);
    }

    /** Whether this thread computes with it. */
    public static boolean isEnabled() {
        return CastRules.isEnabled();
    }
}
