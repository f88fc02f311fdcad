package dev.outpost.runtime.engine.cpu.chain;

import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.outpost.runtime.engine.cpu.code.HiddenClass;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.fold.ScalarFolds;
import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.Collections;

/**
 * Generates the loop of a chain. The elements after the last whole register are computed by a separate method with a mask:
 *
 * <pre>{@code
 * float[] a = arrays[0]; int atA = offsets[0]; float[] r = arrays[1]; int atR = offsets[1];
 * FloatVector number = FloatVector.broadcast(SPECIES, numbers[0]);
 * int i = 0;
 * for (int end = count & -LANES; i < end; i += LANES) {
 *     FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
 *     FloatVector y = VectorSteps.tanh(VectorSteps.mul(x, number));
 *     y.intoArray(r, atR + i);
 * }
 * if (i < count) { rest(arrays, offsets, numbers, count); }
 * }</pre>
 *
 * <p>A folded value is joined to registers that together hold the lanes of a {@link RowReduction} and that alternate:
 *
 * <pre>{@code
 *     FloatVector joined = VectorSteps.add(y, f0); f0 = f1; f1 = f2; f2 = f3; f3 = joined;
 * }
 * VectorSteps.add(VectorSteps.add(f0, f2), VectorSteps.add(f1, f3)).intoArray(numbers, 2);
 * numbers[1] = ScalarFolds.sumOf16(numbers, 2);
 * }</pre>
 */
public final class ChainGenerator {
    /** The name of all generated loops of chains, for commands to the JIT. */
    public static final String GENERATED = Chain.class.getPackageName() + ".VectorChain";

    private static final String REST = "rest";
    private static final ClassDesc SELF = ClassDesc.of(GENERATED);
    private static final ClassDesc STEPS = ClassDesc.of(VectorSteps.class.getName());
    private static final ClassDesc FOLDS = ClassDesc.of(ScalarFolds.class.getName());
    private static final ClassDesc MATH = ClassDesc.of(VectorMath.class.getName());
    private static final String API = "jdk.incubator.vector";
    private static final ClassDesc VECTOR = ClassDesc.of(API, "FloatVector");
    private static final ClassDesc SPECIES = ClassDesc.of(API, "VectorSpecies");
    private static final ClassDesc MASK = ClassDesc.of(API, "VectorMask");
    private static final ClassDesc FLOATS = CD_float.arrayType();
    private static final MethodTypeDesc RUN =
            MethodTypeDesc.of(CD_void, FLOATS.arrayType(), CD_int.arrayType(), FLOATS, CD_int);

    private final Chain chain;
    private final CodeBuilder code;
    /** The first local variable of the parameters: arrays, offsets, numbers and the count. */
    private final int arguments;

    private final int[] arrays;
    private final int[] offsets;
    private final int[] values;
    /** The registers of each fold: one for each part of its lanes. */
    private final int[][] folded;

    private final int index;
    /** The local variable of the mask; unused if whole registers are computed. */
    private final int mask;

    private ChainGenerator(Chain chain, CodeBuilder code, boolean isMasked) {
        this.chain = chain;
        this.code = code;
        arguments = isMasked ? 0 : 1;
        arrays = locals(chain.arrays(), TypeKind.REFERENCE);
        offsets = locals(chain.arrays(), TypeKind.INT);
        values = locals(chain.firstComputed() + chain.operations().size(), TypeKind.REFERENCE);
        folded = new int[chain.folds().size()][];
        Arrays.setAll(folded, fold -> locals(RowReduction.LANES / VectorMath.SPECIES.length(), TypeKind.REFERENCE));
        index = code.allocateLocal(TypeKind.INT);
        mask = isMasked ? code.allocateLocal(TypeKind.REFERENCE) : -1;
    }

    /** Generates the bytes of a class that implements {@link ChainLoop}. */
    static byte[] generate(Chain chain) {
        return HiddenClass.implementing(ChainLoop.class, SELF, loop -> {
            loop.withMethodBody(
                    "run", RUN, ClassFile.ACC_PUBLIC, code -> new ChainGenerator(chain, code, false).whole());
            if (hasRest(chain)) {
                loop.withMethodBody(
                        REST, RUN, ClassFile.ACC_STATIC, code -> new ChainGenerator(chain, code, true).rest());
            }
        });
    }

    /**
     * Returns true if elements may be left after the last whole register. A chain that folds has no rest, because it computes whole
     * registers only.
     */
    private static boolean hasRest(Chain chain) {
        return chain.folds().isEmpty();
    }

    private int[] locals(int count, TypeKind kind) {
        int[] locals = new int[count];
        Arrays.setAll(locals, number -> code.allocateLocal(kind));
        return locals;
    }

    private void whole() {
        unpack();
        beginFolds();
        Label next = code.newLabel();
        Label end = code.newLabel();
        code.iconst_0().istore(index);
        code.labelBinding(next).iload(index);
        wholeCount();
        code.if_icmpge(end);
        body();
        code.iinc(index, VectorMath.SPECIES.length()).goto_(next);
        code.labelBinding(end);
        if (hasRest(chain)) {
            callRest();
        }
        for (int fold = 0; fold < folded.length; fold++) {
            endFold(fold);
        }
        code.return_();
    }

    private void callRest() {
        Label done = code.newLabel();
        code.iload(index);
        count();
        code.if_icmpge(done);
        code.aload(arguments).aload(arguments + 1).aload(arguments + 2).iload(arguments + 3);
        code.invokestatic(SELF, REST, RUN);
        code.labelBinding(done);
    }

    private void rest() {
        unpack();
        wholeCount();
        code.istore(index);
        species();
        code.iload(index);
        count();
        code.invokeinterface(SPECIES, "indexInRange", MethodTypeDesc.of(MASK, CD_int, CD_int));
        code.astore(mask);
        body();
        code.return_();
    }

    private void count() {
        code.iload(arguments + 3);
    }

    private void wholeCount() {
        count();
        code.loadConstant(-VectorMath.SPECIES.length()).iand();
    }

    private void species() {
        code.getstatic(MATH, "SPECIES", SPECIES);
    }

    /** Reads the arguments into local variables. */
    private void unpack() {
        for (int array = 0; array < arrays.length; array++) {
            code.aload(arguments).loadConstant(array).aaload().astore(arrays[array]);
            code.aload(arguments + 1).loadConstant(array).iaload().istore(offsets[array]);
        }
        for (int number = 0; number < chain.numbers(); number++) {
            species();
            code.aload(arguments + 2).loadConstant(number).faload();
            code.invokestatic(VECTOR, "broadcast", MethodTypeDesc.of(VECTOR, SPECIES, CD_float));
            code.astore(values[chain.loads() + number]);
        }
    }

    /** Loads each value just before its first use and stores it immediately, so that few registers are in use at a time. */
    private void body() {
        boolean[] isLoaded = new boolean[chain.loads()];
        for (int number = 0; number < chain.operations().size(); number++) {
            Chain.Operation operation = chain.operations().get(number);
            for (int source : operation.sources()) {
                load(source, isLoaded);
            }
            operation.sources().forEach(source -> code.aload(values[source]));
            ClassDesc[] types =
                    Collections.nCopies(operation.sources().size(), VECTOR).toArray(ClassDesc[]::new);
            code.invokestatic(STEPS, operation.step().method(), MethodTypeDesc.of(VECTOR, types));
            code.astore(values[chain.firstComputed() + number]);
            store(chain.firstComputed() + number);
            fold(chain.firstComputed() + number);
        }
        chain.folds().forEach(fold -> load(fold.value(), isLoaded));
    }

    private void load(int value, boolean[] isLoaded) {
        if (!chain.isLoaded(value) || isLoaded[value]) {
            return;
        }
        isLoaded[value] = true;
        species();
        element(value);
        if (mask < 0) {
            code.invokestatic(VECTOR, "fromArray", MethodTypeDesc.of(VECTOR, SPECIES, FLOATS, CD_int));
        } else {
            code.aload(mask);
            code.invokestatic(VECTOR, "fromArray", MethodTypeDesc.of(VECTOR, SPECIES, FLOATS, CD_int, MASK));
        }
        code.astore(values[value]);
        fold(value);
    }

    private void store(int value) {
        for (int result = 0; result < chain.stored().size(); result++) {
            if (chain.stored().get(result) == value) {
                code.aload(values[value]);
                element(chain.loads() + result);
                if (mask < 0) {
                    code.invokevirtual(VECTOR, "intoArray", MethodTypeDesc.of(CD_void, FLOATS, CD_int));
                } else {
                    code.aload(mask);
                    code.invokevirtual(VECTOR, "intoArray", MethodTypeDesc.of(CD_void, FLOATS, CD_int, MASK));
                }
            }
        }
    }

    private void beginFolds() {
        for (int fold = 0; fold < folded.length; fold++) {
            for (int part : folded[fold]) {
                species();
                code.loadConstant(chain.folds().get(fold).fold().nothing());
                code.invokestatic(VECTOR, "broadcast", MethodTypeDesc.of(VECTOR, SPECIES, CD_float));
                code.astore(part);
            }
        }
    }

    private void fold(int value) {
        for (int fold = 0; fold < folded.length; fold++) {
            if (chain.folds().get(fold).value() == value) {
                int[] parts = folded[fold];
                // The value that was just computed is the receiver, because the JIT knows its class.
                code.aload(values[value]).aload(parts[0]);
                join(fold);
                for (int part = 1; part < parts.length; part++) {
                    code.aload(parts[part]).astore(parts[part - 1]);
                }
                code.astore(parts[parts.length - 1]);
            }
        }
    }

    /** Joins halves of the lanes until 16 are left, and joins those in scalar code. */
    private void endFold(int fold) {
        int[] parts = folded[fold];
        int width = VectorMath.SPECIES.length();
        int left = parts.length;
        for (; left * width > RowReduction.SHORT; left /= 2) {
            for (int part = 0; part < left / 2; part++) {
                exact(parts[part]);
                exact(parts[part + left / 2]);
                join(fold);
                code.astore(parts[part]);
            }
        }
        int room = chain.numbers() + folded.length;
        for (int part = 0; part < left; part++) {
            exact(parts[part]);
            code.aload(arguments + 2).loadConstant(room + part * width);
            code.invokevirtual(VECTOR, "intoArray", MethodTypeDesc.of(CD_void, FLOATS, CD_int));
        }
        code.aload(arguments + 2).loadConstant(chain.numbers() + fold);
        code.aload(arguments + 2).loadConstant(room);
        code.invokestatic(FOLDS, chain.folds().get(fold).fold().ofLanes(), MethodTypeDesc.of(CD_float, FLOATS, CD_int));
        code.fastore();
    }

    private void join(int fold) {
        String method = chain.folds().get(fold).fold().step().method();
        code.invokestatic(STEPS, method, MethodTypeDesc.of(VECTOR, VECTOR, VECTOR));
    }

    /** Pushes a loop variable, cast to its exact class. */
    private void exact(int local) {
        code.aload(local).invokestatic(MATH, "exact", MethodTypeDesc.of(VECTOR, VECTOR));
    }

    /** Pushes an array and the loop's current index in it. */
    private void element(int array) {
        code.aload(arrays[array]).iload(offsets[array]).iload(index).iadd();
    }
}
