package dev.outpost.internal;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides which operands are cast while a thread computes in lower precision; see {@link dev.outpost.autograd.Autocast}. */
public final class CastRules {
    private static final ThreadLocal<DType> DTYPE = new ThreadLocal<>();
    /** The number of threads with a lower dtype. While it is 0, an op costs only one read of this field. */
    private static final AtomicInteger ACTIVE = new AtomicInteger();

    private static final Set<Unary> WIDE =
            EnumSet.of(Unary.EXP, Unary.EXPM1, Unary.LOG, Unary.LOG1P, Unary.LOG2, Unary.LOG10, Unary.RSQRT);

    private CastRules() {}

    /** Runs the body with a lower dtype; null means none. */
    public static <T extends @Nullable Object> T during(@Nullable DType dtype, Supplier<T> body) {
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
        DType before = DTYPE.get();
        if (dtype == null) {
            DTYPE.remove();
        } else {
            DTYPE.set(dtype);
        }
        ACTIVE.addAndGet((dtype == null ? 0 : 1) - (before == null ? 0 : 1));
    }

    public static boolean isEnabled() {
        return ofThread() != null;
    }

    private static @Nullable DType ofThread() {
        return ACTIVE.get() == 0 ? null : DTYPE.get();
    }

    /**
     * Returns the dtype that an op's floating operands of up to 32 bits are cast to; null to leave them. Called for
     * each op.
     */
    public static @Nullable DType operandType(Op op) {
        DType lower = ofThread();
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

    /** Casts an operand to the dtype that {@link #operandType} returned. */
    public static Operand cast(Operand operand, DType dtype) {
        DType own = operand.type().dtype();
        boolean isShort = own == DType.FLOAT32 || own == DType.BFLOAT16 || own == DType.FLOAT16;
        return isShort && own != dtype ? operand.cast(dtype) : operand;
    }

    /** Returns the dtype of a softmax: float32 in place of 16-bit floats. */
    public static DType wide(DType dtype) {
        return isEnabled() && dtype.isFloating() && dtype.bytes() == 2 ? DType.FLOAT32 : dtype;
    }

    /** Casts a float32 bias to the dtype of the 16-bit product that it is added to. */
    @SuppressWarnings("unchecked")
    public static <T extends TensorState> T likeProduct(T bias, T product) {
        return isEnabled() && bias.dtype() == DType.FLOAT32 && product.dtype().bytes() == 2
                ? (T) bias.cast(product.dtype())
                : bias;
    }
}
