package dev.outpost.autograd;

import dev.outpost.Tensor;
import dev.outpost.internal.Operand;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.EnumSet;
import java.util.Set;
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
    private static final ThreadLocal<DType> DTYPE = new ThreadLocal<>();
    private static final Set<Unary> WIDE =
            EnumSet.of(Unary.EXP, Unary.EXPM1, Unary.LOG, Unary.LOG1P, Unary.LOG2, Unary.LOG10, Unary.RSQRT);

    private Autocast() {}

    /** Computes with a lower dtype, {@link DType#BFLOAT16} or {@link DType#FLOAT16}. */
    public static <T extends @Nullable Object> T with(DType dtype, Supplier<T> body) {
        if (dtype != DType.BFLOAT16 && dtype != DType.FLOAT16) {
            throw new OpException("autocast", "bfloat16 or float16 is needed, got " + dtype);
        }
        return set(dtype, body);
    }

    /** Computes without it, also inside of {@link #with}. */
    public static <T extends @Nullable Object> T without(Supplier<T> body) {
        return set(null, body);
    }

    private static <T extends @Nullable Object> T set(@Nullable DType dtype, Supplier<T> body) {
        DType before = DTYPE.get();
        if (before == dtype) {
            return body.get();
        }
        replace(dtype);
        try {
            return body.get();
        } finally {
            replace(before);
        }
    }

    private static void replace(@Nullable DType dtype) {
        if (dtype == null) {
            DTYPE.remove();
        } else {
            DTYPE.set(dtype);
        }
    }

    /** Whether this thread computes with it. */
    public static boolean isEnabled() {
        return DTYPE.get() != null;
    }

    /** The dtype that an op's floating operands of up to 32 bits are cast to; null to leave them. Called for each op. */
    public static @Nullable DType operandType(Op op) {
        DType lower = DTYPE.get();
        if (lower == null) {
            return null;
        }
        return switch (op) {
            case Matmul product -> lower;
            case Convolution convolution -> lower;
            case Attention attention -> lower;
            case Reduce reduce -> isWide(reduce.fn()) ? DType.FLOAT32 : null;
            case Cumulative cumulative -> isWide(cumulative.fn()) ? DType.FLOAT32 : null;
            case Unary unary -> WIDE.contains(unary) ? DType.FLOAT32 : null;
            case Binary binary -> binary == Binary.POW ? DType.FLOAT32 : null;
            default -> null;
        };
    }

    private static boolean isWide(Reduce.Fn fn) {
        return fn == Reduce.Fn.SUM || fn == Reduce.Fn.PROD;
    }

    /** An operand as {@link #operandType} says. */
    public static Operand cast(Operand operand, DType dtype) {
        DType own = operand.type().dtype();
        boolean isShort = own == DType.FLOAT32 || own == DType.BFLOAT16 || own == DType.FLOAT16;
        return isShort && own != dtype ? operand.cast(dtype) : operand;
    }

    /** The dtype of a softmax: float32 in place of 16-bit floats. */
    public static DType wide(DType dtype) {
        return isEnabled() && dtype.isFloating() && dtype.bytes() == 2 ? DType.FLOAT32 : dtype;
    }

    /** Casts a float32 bias to the dtype of the 16-bit product that it is added to. */
    public static Tensor likeProduct(Tensor bias, Tensor product) {
        return isEnabled() && bias.dtype() == DType.FLOAT32 && product.dtype().bytes() == 2
                ? bias.to(product.dtype())
                : bias;
    }
}
