package dev.outpost.runtime.engine.cpu.code;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_short;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.vector.FloatMath;
import dev.outpost.runtime.math.CommonDivisors;
import dev.outpost.runtime.math.LabelledFunctions;
import dev.outpost.runtime.math.SpecialFunctions;
import dev.outpost.types.DType;
import dev.outpost.types.Half;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Generates the bytecode of each elementwise op, which pops its operands from the JVM's stack and pushes its result.
 * A number of dtype float32 or of a 16-bit float is a JVM float, float64 a double, int64 a long, and every narrower
 * integer an int within its dtype's range. A step that needs more than two instructions is a call of {@link
 * ScalarMath}, which the JIT inlines.
 */
record ScalarCode(CodeBuilder code) {
    private static final ClassDesc MATH = ClassDesc.of(Math.class.getName());
    private static final ClassDesc FLOAT_MATH = ClassDesc.of(FloatMath.class.getName());
    private static final ClassDesc COMMON_DIVISORS = ClassDesc.of(CommonDivisors.class.getName());
    private static final ClassDesc SCALAR_MATH = ClassDesc.of(ScalarMath.class.getName());
    private static final ClassDesc SPECIAL_FUNCTIONS = ClassDesc.of(SpecialFunctions.class.getName());
    private static final ClassDesc FLOAT = ClassDesc.of(Float.class.getName());
    private static final ClassDesc HALF = ClassDesc.of(Half.class.getName());

    /** The names of the functions in {@link FloatMath} that have one float parameter. */
    private static final Set<String> OF_FLOATS = Arrays.stream(FloatMath.class.getMethods())
            .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {float.class}))
            .map(Method::getName)
            .collect(Collectors.toUnmodifiableSet());

    /** Returns the JVM type of a number of that dtype on the stack. */
    TypeKind kind(DType dtype) {
        return switch (dtype) {
            case FLOAT32, FLOAT16, BFLOAT16 -> TypeKind.FLOAT;
            case FLOAT64 -> TypeKind.DOUBLE;
            case INT64 -> TypeKind.LONG;
            case INT32, INT16, INT8, UINT8, BOOL -> TypeKind.INT;
        };
    }

    ClassDesc arrayType(DType dtype) {
        return element(dtype).upperBound().arrayType();
    }

    private static TypeKind element(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> TypeKind.FLOAT;
            case FLOAT64 -> TypeKind.DOUBLE;
            case INT64 -> TypeKind.LONG;
            case INT32 -> TypeKind.INT;
            case FLOAT16, BFLOAT16, INT16 -> TypeKind.SHORT;
            case INT8, UINT8, BOOL -> TypeKind.BYTE;
        };
    }

    /** Replaces an array and an index on the stack by the array's element at that index. */
    void load(DType dtype) {
        code.arrayLoad(element(dtype));
        widen(dtype);
    }

    private void widen(DType dtype) {
        switch (dtype) {
            case FLOAT16 -> code.invokestatic(FLOAT, "float16ToFloat", MethodTypeDesc.of(CD_float, CD_short));
            case BFLOAT16 -> code.invokestatic(HALF, "fromBfloat16", MethodTypeDesc.of(CD_float, CD_short));
            case UINT8 -> code.loadConstant(0xff).iand();
            case FLOAT32, FLOAT64, INT64, INT32, INT16, INT8, BOOL -> {}
        }
    }

    /** Pops an array, an index and a number, and stores the number. */
    void store(DType dtype) {
        narrow(dtype);
        code.arrayStore(element(dtype));
    }

    /** Rounds a 16-bit float as a store would. Does nothing for other dtypes. */
    void round(DType dtype) {
        narrow(dtype);
        widen(dtype);
    }

    private void narrow(DType dtype) {
        switch (dtype) {
            case FLOAT16 -> code.invokestatic(FLOAT, "floatToFloat16", MethodTypeDesc.of(CD_short, CD_float));
            case BFLOAT16 -> code.invokestatic(HALF, "toBfloat16", MethodTypeDesc.of(CD_short, CD_float));
            case FLOAT32, FLOAT64, INT64, INT32, INT16, INT8, UINT8, BOOL -> {}
        }
    }

    /** Casts a number. A 16-bit float that is not stored immediately keeps float32's precision. */
    void convert(DType from, DType to) {
        if (to == DType.BOOL) {
            call("isNonzero", CD_int, from);
        } else if (from.isFloating() && !to.isFloating()) {
            code.conversion(kind(from), TypeKind.LONG).conversion(TypeKind.LONG, kind(to));
        } else {
            code.conversion(kind(from), kind(to));
        }
        wrap(to);
    }

    /** Wraps an int to the range of its dtype. */
    private void wrap(DType dtype) {
        switch (dtype) {
            case INT16 -> code.i2s();
            case INT8 -> code.i2b();
            case UINT8 -> code.loadConstant(0xff).iand();
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT64, INT32, BOOL -> {}
        }
    }

    void unary(Unary op, DType dtype) {
        switch (op) {
            case COPY -> {}
            case NEG -> operate(dtype, Opcode.INEG, Opcode.LNEG, Opcode.FNEG, Opcode.DNEG);
            case ABS -> {
                call(MATH, "abs", dtype);
                wrap(dtype);
            }
            case SIGN -> wrapped("sign", dtype);
            case CEIL -> ofFloating(MATH, "ceil", dtype);
            case FLOOR -> ofFloating(MATH, "floor", dtype);
            case TRUNC -> ofFloating(SCALAR_MATH, "trunc", dtype);
            case ROUND -> ofFloating(MATH, "rint", dtype);
            case RELU -> wrapped("relu", dtype);
            case IS_NAN -> call("isNan", CD_int, dtype);
            case NOT -> not(dtype);
            default -> ofLabel(op, dtype);
        }
    }

    /**
     * Calls the function with the op's name: the one in {@link FloatMath} if the dtype is computed in float and the
     * function exists there, otherwise the one for doubles.
     */
    private void ofLabel(Unary op, DType dtype) {
        if (!op.isFloatingOnly()) {
            throw new IllegalStateException(op.label() + " has no code");
        }
        if (dtype == DType.FLOAT32 && OF_FLOATS.contains(op.label())) {
            code.invokestatic(FLOAT_MATH, op.label(), MethodTypeDesc.of(CD_float, CD_float));
        } else {
            inDouble(ofLabel(op), LabelledFunctions.name(op), dtype);
        }
    }

    private static ClassDesc ofLabel(Op op) {
        return ClassDesc.of(LabelledFunctions.owner(op).getName());
    }

    void binary(Binary op, DType dtype) {
        switch (op) {
            case ADD ->
                operate(dtype, dtype == DType.BOOL ? Opcode.IOR : Opcode.IADD, Opcode.LADD, Opcode.FADD, Opcode.DADD);
            case SUB -> operate(dtype, Opcode.ISUB, Opcode.LSUB, Opcode.FSUB, Opcode.DSUB);
            // For two bools the product is their conjunction.
            case MUL -> operate(dtype, Opcode.IMUL, Opcode.LMUL, Opcode.FMUL, Opcode.DMUL);
            case DIV -> operate(dtype, Opcode.IDIV, Opcode.LDIV, Opcode.FDIV, Opcode.DDIV);
            case TRUNC_DIV -> inDoubleOrWrapped(SCALAR_MATH, "truncDivide", dtype);
            // A quotient that is rounded to float may round up to an integer.
            case FLOOR_DIV -> inDoubleOrWrapped(SCALAR_MATH, "floorDivide", dtype);
            case REMAINDER -> wrapped("remainder", dtype, dtype);
            case FMOD -> fmod(dtype);
            case POW -> inDoubleOrWrapped(SPECIAL_FUNCTIONS, "pow", dtype);
            case MAXIMUM -> call(MATH, "max", dtype, dtype);
            case MINIMUM -> call(MATH, "min", dtype, dtype);
            case COPYSIGN -> call(MATH, "copySign", dtype, dtype);
            case NEXTAFTER -> nextAfter(dtype);
            case GCD -> {
                call(COMMON_DIVISORS, "of", dtype, dtype);
                wrap(dtype);
            }
            case EQ -> compare(dtype, Opcode.IF_ICMPEQ, Opcode.IFEQ);
            case NE -> compare(dtype, Opcode.IF_ICMPNE, Opcode.IFNE);
            case LT -> compare(dtype, Opcode.IF_ICMPLT, Opcode.IFLT);
            case LE -> compare(dtype, Opcode.IF_ICMPLE, Opcode.IFLE);
            case GT -> compare(dtype, Opcode.IF_ICMPGT, Opcode.IFGT);
            case GE -> compare(dtype, Opcode.IF_ICMPGE, Opcode.IFGE);
            case AND -> bits(dtype, Opcode.IAND, Opcode.LAND);
            case OR -> bits(dtype, Opcode.IOR, Opcode.LOR);
            case XOR -> bits(dtype, Opcode.IXOR, Opcode.LXOR);
            case SHIFT_LEFT -> shift("shiftLeft", dtype);
            case SHIFT_RIGHT -> shift("shiftRight", dtype);
            default -> inDouble(ofLabel(op), LabelledFunctions.name(op), dtype, dtype);
        }
    }

    void ternary(Ternary op, DType dtype) {
        switch (op) {
            case WHERE -> call("where", descriptor(dtype), DType.BOOL, dtype, dtype);
        }
    }

    /** Emits one of four instructions, chosen by the JVM type of the number. */
    private void operate(DType dtype, Opcode ofInts, Opcode ofLongs, Opcode ofFloats, Opcode ofDoubles) {
        Opcode opcode = switch (dtype) {
            case FLOAT32, FLOAT16, BFLOAT16 -> ofFloats;
            case FLOAT64 -> ofDoubles;
            case INT64 -> ofLongs;
            case INT32, INT16, INT8, UINT8, BOOL -> ofInts;
        };
        code.with(OperatorInstruction.of(opcode));
        wrap(dtype);
    }

    /** Pushes 0 or 1. With a NaN, every comparison but inequality is false. */
    private void compare(DType dtype, Opcode ofInts, Opcode ofSign) {
        boolean below = ofSign == Opcode.IFLT || ofSign == Opcode.IFLE;
        Opcode branch = ofSign;
        switch (dtype) {
            case FLOAT32, FLOAT16, BFLOAT16 -> code.with(OperatorInstruction.of(below ? Opcode.FCMPG : Opcode.FCMPL));
            case FLOAT64 -> code.with(OperatorInstruction.of(below ? Opcode.DCMPG : Opcode.DCMPL));
            case INT64 -> code.lcmp();
            case INT32, INT16, INT8, UINT8, BOOL -> branch = ofInts;
        }
        code.ifThenElse(branch, CodeBuilder::iconst_1, CodeBuilder::iconst_0);
    }

    private void bits(DType dtype, Opcode ofInts, Opcode ofLongs) {
        code.with(OperatorInstruction.of(dtype == DType.INT64 ? ofLongs : ofInts));
    }

    private void not(DType dtype) {
        switch (dtype) {
            case INT64 -> code.loadConstant(-1L).lxor();
            case BOOL -> code.iconst_1().ixor();
            case INT32, INT16, INT8, UINT8 -> code.iconst_m1().ixor();
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> throw refused(Unary.NOT, dtype);
        }
        wrap(dtype);
    }

    private void shift(String name, DType dtype) {
        code.loadConstant(8 * dtype.bytes());
        call(name, descriptor(dtype), dtype, dtype, DType.INT32);
        wrap(dtype);
    }

    /** Computes the next number. For a 16-bit float, this is the neighbour in the 16-bit format. */
    private void nextAfter(DType dtype) {
        String name = switch (dtype) {
            case FLOAT16 -> "nextAfterFloat16";
            case BFLOAT16 -> "nextAfterBfloat16";
            case FLOAT32, FLOAT64 -> "nextAfter";
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> throw refused(Binary.NEXTAFTER, dtype);
        };
        call(name, descriptor(dtype), dtype, dtype);
    }

    private static IllegalStateException refused(Op op, DType dtype) {
        return new IllegalStateException(op.label() + " of " + dtype + " is refused by the caller");
    }

    /** Calls a rounding function. Does nothing for integers, which are whole already. */
    private void ofFloating(ClassDesc owner, String name, DType dtype) {
        if (dtype.isFloating()) {
            inDouble(owner, name, dtype);
        }
    }

    /** Calls a function of two doubles for floating numbers, and one of {@link ScalarMath} for integers. */
    private void inDoubleOrWrapped(ClassDesc ofDoubles, String name, DType dtype) {
        if (dtype.isFloating()) {
            inDouble(ofDoubles, name, dtype, dtype);
        } else {
            wrapped(name, dtype, dtype);
        }
    }

    /** Emits the JVM's remainder, which for floating numbers computes the same as C's fmod. */
    private void fmod(DType dtype) {
        if (dtype.isFloating()) {
            code.with(OperatorInstruction.of(dtype == DType.FLOAT64 ? Opcode.DREM : Opcode.FREM));
        } else {
            wrapped("fmod", dtype, dtype);
        }
    }

    private void wrapped(String name, DType... operands) {
        call(name, descriptor(operands[0]), operands);
        wrap(operands[0]);
    }

    /** Calls a function that exists only for doubles, and rounds its result once. */
    private void inDouble(ClassDesc owner, String name, DType dtype) {
        code.conversion(kind(dtype), TypeKind.DOUBLE);
        code.invokestatic(owner, name, MethodTypeDesc.of(CD_double, CD_double));
        code.conversion(TypeKind.DOUBLE, kind(dtype));
    }

    private void inDouble(ClassDesc owner, String name, DType left, DType right) {
        int saved = code.allocateLocal(kind(right));
        code.storeLocal(kind(right), saved).conversion(kind(left), TypeKind.DOUBLE);
        code.loadLocal(kind(right), saved).conversion(kind(right), TypeKind.DOUBLE);
        code.invokestatic(owner, name, MethodTypeDesc.of(CD_double, CD_double, CD_double));
        code.conversion(TypeKind.DOUBLE, kind(left));
    }

    private void call(String name, ClassDesc result, DType... operands) {
        code.invokestatic(SCALAR_MATH, name, signature(result, operands));
    }

    private void call(ClassDesc owner, String name, DType... operands) {
        code.invokestatic(owner, name, signature(descriptor(operands[0]), operands));
    }

    private MethodTypeDesc signature(ClassDesc result, DType... operands) {
        return MethodTypeDesc.of(
                result, Arrays.stream(operands).map(this::descriptor).toArray(ClassDesc[]::new));
    }

    private ClassDesc descriptor(DType dtype) {
        return kind(dtype).upperBound();
    }
}
