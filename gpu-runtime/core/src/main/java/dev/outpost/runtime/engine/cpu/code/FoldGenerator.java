package dev.outpost.runtime.engine.cpu.code;

import dev.outpost.protocol.op.Binary;
import dev.outpost.types.DType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;

/**
 * Generates the loop that folds a run of elements into one:
 *
 * <pre>{@code
 * int i = offsets[0]; int end = i + count;
 * float x0 = a[i], …, x7 = a[i + 7];                                  // if there are 8 elements
 * for (i += 8; i <= end - 8; i += 8) { x0 += a[i]; …; x7 += a[i + 7]; }
 * x0 = ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7));
 * for (; i < end; i++) { x0 += a[i]; }
 * r[offsets[1]] = x0;
 * }</pre>
 *
 * Sums and products of floats need the lanes, because the JIT may not reorder them. In a single lane each operation would wait for the
 * previous one. All other folds use one lane, and the JIT vectorises them.
 */
final class FoldGenerator {
    private static final int LANES = 8;

    private final LoopSource.Fold fold;
    private final CodeBuilder code;
    private final ScalarCode scalars;
    private final TypeKind kind;
    private final int[] lanes;
    private final int array;
    private final int index;
    private final int end;

    FoldGenerator(LoopSource.Fold fold, CodeBuilder code) {
        this.fold = fold;
        this.code = code;
        this.scalars = new ScalarCode(code);
        this.kind = scalars.kind(fold.dtype());
        this.lanes = new int[mayBeReordered(fold.combine(), fold.dtype()) ? 1 : LANES];
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] = code.allocateLocal(kind);
        }
        this.array = code.allocateLocal(TypeKind.REFERENCE);
        this.index = code.allocateLocal(TypeKind.INT);
        this.end = code.allocateLocal(TypeKind.INT);
    }

    private static boolean mayBeReordered(Binary combine, DType dtype) {
        return !dtype.isFloating() || combine == Binary.MAXIMUM || combine == Binary.MINIMUM;
    }

    /** Writes the body of the loop's method. */
    void method() {
        Label rest = code.newLabel();
        begin();
        if (lanes.length > 1) {
            Label few = code.newLabel();
            code.iload(4).loadConstant(lanes.length).if_icmplt(few);
            combineLanes();
            code.goto_(rest);
            code.labelBinding(few);
        }
        start(0);
        code.iinc(index, 1);
        code.labelBinding(rest);
        oneByOne();
        end();
    }

    private void begin() {
        code.aload(1)
                .iconst_0()
                .aaload()
                .checkcast(scalars.arrayType(fold.dtype()))
                .astore(array);
        code.aload(2).iconst_0().iaload().istore(index);
        code.iload(index).iload(4).iadd().istore(end);
    }

    /** Combines the lanes pairwise into the first one. */
    private void combineLanes() {
        for (int lane = 0; lane < lanes.length; lane++) {
            start(lane);
        }
        int last = code.allocateLocal(TypeKind.INT);
        code.iload(end).loadConstant(lanes.length).isub().istore(last);
        code.iinc(index, lanes.length);
        Label next = code.newLabel();
        Label done = code.newLabel();
        code.labelBinding(next).iload(index).iload(last).if_icmpgt(done);
        for (int lane = 0; lane < lanes.length; lane++) {
            code.loadLocal(kind, lanes[lane]);
            element(lane);
            combineInto(lane);
        }
        code.iinc(index, lanes.length).goto_(next);
        code.labelBinding(done);
        for (int distance = 1; distance < lanes.length; distance *= 2) {
            for (int lane = 0; lane < lanes.length; lane += 2 * distance) {
                code.loadLocal(kind, lanes[lane]).loadLocal(kind, lanes[lane + distance]);
                combineInto(lane);
            }
        }
    }

    private void oneByOne() {
        Label next = code.newLabel();
        Label done = code.newLabel();
        code.labelBinding(next).iload(index).iload(end).if_icmpge(done);
        code.loadLocal(kind, lanes[0]);
        element(0);
        combineInto(0);
        code.iinc(index, 1).goto_(next);
        code.labelBinding(done);
    }

    private void end() {
        code.aload(1).iconst_1().aaload().checkcast(scalars.arrayType(fold.dtype()));
        code.aload(2).iconst_1().iaload();
        code.loadLocal(kind, lanes[0]);
        scalars.store(fold.dtype());
        code.return_();
    }

    private void start(int lane) {
        element(lane);
        code.storeLocal(kind, lanes[lane]);
    }

    /** Pushes the element at that distance after the current one. */
    private void element(int distance) {
        code.aload(array).iload(index);
        if (distance > 0) {
            code.loadConstant(distance).iadd();
        }
        scalars.load(fold.dtype());
    }

    private void combineInto(int lane) {
        scalars.binary(fold.combine(), fold.dtype());
        code.storeLocal(kind, lanes[lane]);
    }
}
