package dev.outpost.internal;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Promotion;
import dev.outpost.types.TensorType;
import java.lang.ref.Reference;

/** Records a call on tensors as an instruction. All ops pass through here: it checks types and extends autograd's graph. */
public final class OpRecording {
    private OpRecording() {}

    /** Applies an op with one result. */
    public static TensorState apply(Op op, Operand... operands) {
        return applyAll(op, operands)[0];
    }

    /** Applies an op; operands must have the dtypes that the op requires. */
    public static TensorState[] applyAll(Op op, Operand... operands) {
        DType wanted = CastRules.operandType(op);
        return wanted == null ? applyTo(op, operands) : applyCast(op, wanted, operands);
    }

    private static TensorState[] applyCast(Op op, DType wanted, Operand... operands) {
        Operand[] cast = new Operand[operands.length];
        for (int index = 0; index < operands.length; index++) {
            cast[index] = CastRules.cast(operands[index], wanted);
        }
        TensorState[] results = applyTo(op, cast);
        for (int index = 0; index < operands.length; index++) {
            release(cast[index], operands[index]);
        }
        return results;
    }

    private static TensorState[] applyTo(Op op, Operand... operands) {
        TensorState first = requireTogether(op, operands);
        TensorType[] types = new TensorType[operands.length];
        for (int index = 0; index < operands.length; index++) {
            types[index] =
                    ArgumentChecks.required(operands[index], "an operand").type();
        }
        TensorType[] inferred = infer(op, types);
        BatchLevel level = BatchLevel.of(operands);
        TensorState[] results =
                level == null ? record(States.home(first), op, operands, inferred) : level.apply(op, operands);
        if (GradMode.isEnabled()) {
            States.home(first).factory().attach(op, operands, results);
        }
        if (level == null) {
            AnomalyDetector.recorded(op, results);
        }
        return results;
    }

    /** Applies an op to a whole storage and a tensor, and binds the result to the storage. Bypasses autograd and maps. */
    static void applyInto(Cell storage, Op op, TensorState source) {
        TensorType stored = storage.type();
        TensorType result = infer(op, new TensorType[] {stored, source.type()})[0];
        Object[] operands = {new StoredOperand(storage, Layout.contiguous(stored.shape())), stored(source)};
        storage.home().recorder().current().recordInto(storage, op, operands, result);
        Reference.reachabilityFence(source);
    }

    /** Applies an op without operands that has one result. */
    public static TensorState make(TensorDevice device, Op op) {
        BatchLevel level = op instanceof Random ? BatchLevel.current() : null;
        if (level != null) {
            return level.random(device, (Random) op);
        }
        Operand[] none = {};
        return record(device, op, none, infer(op, new TensorType[0]))[0];
    }

    private static TensorType[] infer(Op op, TensorType[] operands) {
        try {
            return op.infer(operands);
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    /** Applies an elementwise op after promoting to the dtype that PyTorch gives; integers become float where needed. */
    public static TensorState unary(Unary op, TensorState operand) {
        boolean needsFloat = op.isFloatingOnly() && !operand.dtype().isFloating();
        if (!needsFloat) {
            return apply(op, operand);
        }
        try (TensorState cast = cast(operand, DType.FLOAT32)) {
            return apply(op, cast);
        }
    }

    private static TensorState cast(TensorState operand, DType dtype) {
        return (TensorState) operand.cast(dtype);
    }

    /** Returns the dtype that all operands are promoted to: first within each rank, then across ranks. */
    public static DType resultType(Operand... operands) {
        DType result = null;
        for (Promotion.Rank rank : Promotion.Rank.values()) {
            DType ofRank = null;
            for (Operand operand : operands) {
                if (operand.rank() == rank) {
                    DType dtype = operand.type().dtype();
                    ofRank = ofRank == null ? dtype : Promotion.promote(ofRank, dtype);
                }
            }
            result = outranked(result, ofRank, rank);
        }
        return result;
    }

    private static DType outranked(DType weak, DType strong, Promotion.Rank rank) {
        if (weak == null || strong == null) {
            return strong == null ? weak : strong;
        }
        return Promotion.resultType(strong, rank, weak, Promotion.Rank.NUMBER);
    }

    /** Like {@link #resultType}, but returns float32 if that dtype is not floating. */
    public static DType floatingType(Operand... operands) {
        DType dtype = resultType(operands);
        return dtype.isFloating() ? dtype : DType.FLOAT32;
    }

    /** Like {@link #unary}, but for two operands. */
    public static TensorState binary(Binary op, Operand left, Operand right) {
        ArgumentChecks.required(right, "the other operand");
        DType dtype = Promotion.resultType(
                left.type().dtype(), left.rank(), right.type().dtype(), right.rank());
        if (op.isFloatingOnly() && !dtype.isFloating()) {
            dtype = DType.FLOAT32;
        }
        return isScale(op, dtype, right) ? scaled(op, left, right, dtype) : castAndApplied(op, left, right, dtype);
    }

    private static TensorState castAndApplied(Binary op, Operand left, Operand right, DType dtype) {
        Operand first = left.cast(dtype);
        Operand second = right.cast(dtype);
        TensorState result = apply(op, first, second);
        release(first, left);
        release(second, right);
        return result;
    }

    /** True if 16-bit floats are multiplied or divided by a tensor with one element of another dtype, whose value they may not hold. */
    private static boolean isScale(Binary op, DType dtype, Operand right) {
        boolean isHalf = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
        return isHalf
                && (op == Binary.MUL || op == Binary.DIV)
                && right.rank() != Promotion.Rank.NUMBER
                && right.type().shape().elements() == 1
                && right.type().dtype() != dtype;
    }

    /** Computes in float32 and casts the result, because PyTorch does not round such a right operand to the 16-bit dtype. */
    private static TensorState scaled(Binary op, Operand left, Operand right, DType dtype) {
        try (TensorState wide = castAndApplied(op, left, right, DType.FLOAT32)) {
            return cast(wide, dtype);
        }
    }

    /** Returns {@code values} where the condition holds, {@code others} elsewhere, after promotion. */
    public static TensorState where(TensorState condition, Operand values, Operand others) {
        ArgumentChecks.required(condition, "the condition");
        ArgumentChecks.required(values, "the first operand");
        ArgumentChecks.required(others, "the second operand");
        DType dtype = Promotion.resultType(
                values.type().dtype(), values.rank(), others.type().dtype(), others.rank());
        Operand first = chosen(values, dtype);
        Operand second = chosen(others, dtype);
        TensorState result = apply(Ternary.WHERE, condition, first, second);
        release(first, values);
        release(second, others);
        return result;
    }

    private static Operand chosen(Operand choice, DType dtype) {
        if (choice instanceof Operand.Immediate number && number.live() == null) {
            Operand.requireFits("where", number.scalar(), dtype);
        }
        return choice.cast(dtype);
    }

    private static void release(Operand cast, Operand given) {
        if (cast != given && cast instanceof TensorState tensor) {
            tensor.close();
        }
    }

    /** Throws if the tensors are on different machines. Returns the first tensor. */
    private static TensorState requireTogether(Op op, Operand[] operands) {
        TensorState first = null;
        for (Operand operand : operands) {
            if (operand instanceof TensorState tensor) {
                if (first == null) {
                    first = tensor;
                } else {
                    requireTogether(op.label(), States.home(first), States.home(tensor));
                }
            }
        }
        if (first == null) {
            throw new OpException(op.label(), "at least one operand must be a tensor, got numbers only");
        }
        return first;
    }

    /** Throws OpException if two tensors live on different machines. */
    public static void requireTogether(String op, TensorDevice left, TensorDevice right) {
        if (left != right) {
            throw ArgumentChecks.ofCalledOp(new OpException(
                    op,
                    "tensors of two machines cannot be mixed, got " + left + " and " + right
                            + "; bring one over with toHost().to(machine), and a module with module.to(machine)"));
        }
    }

    private static TensorState[] record(TensorDevice device, Op op, Operand[] operands, TensorType[] types) {
        TensorState[] results = new TensorState[types.length];
        device.recorder().current().record(op, stored(operands), types, device.newTensors(), results);
        // If a handle were collected before the op is recorded, its value would be released.
        Reference.reachabilityFence(operands);
        return results;
    }

    /** Returns the operands for the recorder: scalars, and storages whose values are read when the instruction is recorded. */
    private static Object[] stored(Operand[] operands) {
        Object[] stored = new Object[operands.length];
        for (int index = 0; index < operands.length; index++) {
            stored[index] = switch (operands[index]) {
                case Operand.Immediate immediate -> immediate.stored();
                case Operand operand -> stored((TensorState) operand);
            };
        }
        return stored;
    }

    private static StoredOperand stored(TensorState tensor) {
        return new StoredOperand(States.cell(tensor), States.layout(tensor));
    }
}
