package dev.outpost.runtime.engine.cpu.code;

import dev.outpost.types.DType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Generates the loop of an expression:
 *
 * <pre>{@code
 * float[] r = (float[]) arrays[3]; int start = offsets[3]; int end = start + count;
 * float[] a = (float[]) arrays[0]; float x = a[offsets[0]];           // scalar: read before the loop
 * float[] b = (float[]) arrays[1];                                    // aligned with r
 * float[] c = (float[]) arrays[2]; int atC = offsets[2] - start;      // one by one
 * for (int i = start; i < end; i++) { r[i] = x * b[i] + c[i + atC]; }
 * }</pre>
 *
 * An array with another stride is read at {@code i * stride + at}. If the last result has another stride, the loop starts at 0. All other
 * results are stored at the same element as the last result.
 */
final class MapGenerator {
    private final Expression expression;
    private final List<Access> accesses;
    private final CodeBuilder code;
    private final ScalarCode scalars;
    private final boolean[] invariant;
    private final int[] values;
    private final Variables[] variables;
    private final int index;
    private final int start;
    private final StringBuilder listing = new StringBuilder();

    /** The local variables of one array: the array, its index at the loop's index 0 (or its only index), and its stride. */
    private record Variables(int array, int at, int stride) {}

    MapGenerator(LoopSource.Map source, CodeBuilder code) {
        this.expression = source.expression();
        this.accesses = source.accesses();
        this.code = code;
        this.scalars = new ScalarCode(code);
        this.invariant = new boolean[expression.steps().size()];
        this.values = new int[expression.steps().size()];
        this.variables = new Variables[accesses.size()];
        this.index = code.allocateLocal(TypeKind.INT);
        this.start = code.allocateLocal(TypeKind.INT);
    }

    /** Writes the body of the loop's method. Returns the same code as readable text. */
    String method() {
        begin();
        for (Step step : expression.steps()) {
            if (step instanceof Step.Load load) {
                unpack(load.operand(), load.dtype());
            }
        }
        for (int result = 0; result < expression.results().size(); result++) {
            unpack(firstResult() + result, expression.dtype(result));
        }
        steps(true);
        loop();
        code.return_();
        return listing.toString();
    }

    private int firstResult() {
        return accesses.size() - expression.results().size();
    }

    private void begin() {
        if (accesses.getLast() == Access.ALIGNED) {
            argument(2, accesses.size() - 1);
            line(0, "start = offset of " + name(accesses.size() - 1));
        } else {
            code.iconst_0();
            line(0, "start = 0");
        }
        code.istore(start);
    }

    /** Reads one array with its offset and stride from the arguments into local variables. */
    private void unpack(int position, DType dtype) {
        if (variables[position] != null) {
            return;
        }
        int array = code.allocateLocal(TypeKind.REFERENCE);
        code.aload(1).loadConstant(position).aaload();
        code.checkcast(scalars.arrayType(dtype)).astore(array);
        int at = code.allocateLocal(TypeKind.INT);
        int stride = code.allocateLocal(TypeKind.INT);
        argument(2, position);
        switch (accesses.get(position)) {
            case SCALAR, ALIGNED -> {}
            case UNIT -> code.iload(start).isub();
            case STRIDED -> {
                argument(3, position);
                code.istore(stride).iload(start).iload(stride).imul().isub();
            }
        }
        code.istore(at);
        variables[position] = new Variables(array, at, stride);
    }

    /** Pushes one of the offsets or strides. */
    private void argument(int parameter, int position) {
        code.aload(parameter).loadConstant(position).iaload();
    }

    private void loop() {
        Label next = code.newLabel();
        Label end = code.newLabel();
        int limit = code.allocateLocal(TypeKind.INT);
        code.iload(start).iload(4).iadd().istore(limit);
        code.iload(start).istore(index);
        code.labelBinding(next).iload(index).iload(limit).if_icmpge(end);
        line(0, "for i from start to start + count:");
        steps(false);
        store();
        code.iinc(index, 1).goto_(next);
        code.labelBinding(end);
    }

    private void steps(boolean beforeLoop) {
        for (int position = 0; position < values.length; position++) {
            Step step = expression.steps().get(position);
            if (beforeLoop) {
                invariant[position] = isInvariant(step);
            }
            if (invariant[position] == beforeLoop) {
                String text = step(step);
                line(beforeLoop ? 0 : 1, step.dtype().label() + " v" + position + " = " + text);
                values[position] = code.allocateLocal(scalars.kind(step.dtype()));
                code.storeLocal(scalars.kind(step.dtype()), values[position]);
            }
        }
    }

    private boolean isInvariant(Step step) {
        return switch (step) {
            case Step.Load load -> accesses.get(load.operand()) == Access.SCALAR;
            case Step.Convert convert -> invariant[convert.value()];
            case Step.Round round -> invariant[round.value()];
            case Step.ApplyUnary apply -> invariant[apply.value()];
            case Step.ApplyBinary apply -> invariant[apply.left()] && invariant[apply.right()];
            case Step.ApplyTernary apply ->
                invariant[apply.first()] && invariant[apply.second()] && invariant[apply.third()];
        };
    }

    /** Pushes the number that a step defines. */
    private String step(Step step) {
        return switch (step) {
            case Step.Load load -> load(load);
            case Step.Convert convert -> {
                scalars.convert(push(convert.value()), convert.dtype());
                yield call(convert.dtype().label(), convert.value());
            }
            case Step.Round round -> {
                push(round.value());
                scalars.round(round.dtype());
                yield call("round", round.value());
            }
            case Step.ApplyUnary apply -> {
                scalars.unary(apply.op(), push(apply.value()));
                yield call(apply.op().label(), apply.value());
            }
            case Step.ApplyBinary apply -> {
                push(apply.left());
                scalars.binary(apply.op(), push(apply.right()));
                yield call(apply.op().label(), apply.left(), apply.right());
            }
            case Step.ApplyTernary apply -> {
                push(apply.first());
                push(apply.second());
                scalars.ternary(apply.op(), push(apply.third()));
                yield call(apply.op().label(), apply.first(), apply.second(), apply.third());
            }
        };
    }

    private DType push(int position) {
        DType dtype = expression.steps().get(position).dtype();
        code.loadLocal(scalars.kind(dtype), values[position]);
        return dtype;
    }

    private String load(Step.Load load) {
        String place = place(load.operand());
        scalars.load(load.dtype());
        return place;
    }

    private void store() {
        for (int result = 0; result < expression.results().size(); result++) {
            String place = place(firstResult() + result);
            push(expression.results().get(result));
            scalars.store(expression.dtype(result));
            line(1, place + " = v" + expression.results().get(result));
        }
    }

    /** Pushes an array and the index of its current element. */
    private String place(int position) {
        Variables array = variables[position];
        code.aload(array.array);
        return name(position)
                + switch (accesses.get(position)) {
                    case SCALAR -> {
                        code.iload(array.at);
                        yield "[at]";
                    }
                    case ALIGNED -> {
                        code.iload(index);
                        yield "[i]";
                    }
                    case UNIT -> {
                        code.iload(index).iload(array.at).iadd();
                        yield "[i + at]";
                    }
                    case STRIDED -> {
                        code.iload(index)
                                .iload(array.stride)
                                .imul()
                                .iload(array.at)
                                .iadd();
                        yield "[i * stride + at]";
                    }
                };
    }

    // ---- the listing for people

    private String name(int position) {
        return position < firstResult() ? "in" + position : "out" + (position - firstResult());
    }

    private static String call(String op, int... values) {
        return op + Arrays.stream(values).mapToObj(value -> "v" + value).collect(Collectors.joining(", ", "(", ")"));
    }

    private void line(int depth, String text) {
        listing.append("    ".repeat(depth)).append(text).append('\n');
    }
}
