package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes segments for one session, most of which it can run. */
final class HostileSegments {
    private static final int TRIES = 8;

    private record Operand(TensorType type, long id, int result) {}

    private final HostileNumbers numbers;
    private final HostileOps ops;
    private final Map<Long, TensorType> values = new LinkedHashMap<>();
    private long lastId;

    private SegmentWriter writer;
    private List<Operand> known;
    private Map<Long, Integer> inputs;
    private int results;

    HostileSegments(HostileNumbers numbers) {
        this.numbers = numbers;
        this.ops = new HostileOps(numbers);
    }

    /** Any id at all. */
    long anyId() {
        return numbers.oneIn(2) ? numbers.any() : 1 + numbers.below((int) lastId + 1);
    }

    /** The id of a value that the session should have; 0 when it has none. */
    long id() {
        return values.isEmpty() ? 0 : List.copyOf(values.keySet()).get(numbers.below(values.size()));
    }

    void forget(long id) {
        values.remove(id);
    }

    List<Upload> uploads() {
        return ops.uploads();
    }

    byte[] next() {
        writer = new SegmentWriter();
        known = new ArrayList<>();
        values.forEach((id, type) -> known.add(new Operand(type, id, -1)));
        inputs = new HashMap<>();
        results = 0;
        for (int count = instructions(); count > 0; count--) {
            add();
        }
        dropSome();
        return writer.toByteArray();
    }

    private int instructions() {
        return numbers.oneIn(300) ? numbers.below(2000) : numbers.below(12);
    }

    /** One instruction that its op accepts, or, seldom, one that it does not. */
    private void add() {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            try {
                boolean source = known.isEmpty() || numbers.oneIn(4);
                Operand first = source ? null : operand();
                write(source ? ops.source() : ops.of(first.type), operands(first));
                return;
            } catch (OutpostException | ArithmeticException refused) {
                // The next attempt may do better.
            }
        }
    }

    private List<Operand> operands(Operand first) {
        List<Operand> operands = new ArrayList<>();
        for (int position = 0; first != null && position < 4; position++) {
            operands.add(position == 0 || numbers.oneIn(3) ? first : operand());
        }
        return operands;
    }

    private Operand operand() {
        return numbers.oneIn(10)
                ? new Operand(new TensorType(numbers.dtype(), Shape.SCALAR), 0, -1)
                : known.get(numbers.below(known.size()));
    }

    private void write(Op op, List<Operand> available) {
        int arity = op.arity() == Op.VARIADIC ? numbers.below(5) : op.arity();
        List<Operand> operands = available.subList(0, Math.min(arity, available.size()));
        TensorType[] types = operands.stream().map(Operand::type).toArray(TensorType[]::new);
        TensorType[] answers =
                numbers.oneIn(200) ? new TensorType[] {new TensorType(DType.BOOL, Shape.SCALAR)} : op.infer(types);
        operands.forEach(this::prepare);
        writer.begin(op, operands.size());
        operands.forEach(this::write);
        long id = lastId + 1;
        int first = writer.finish(op, id, answers.length);
        for (int position = 0; position < answers.length; position++) {
            values.put(++lastId, answers[position]);
            known.add(new Operand(answers[position], lastId, first + position));
            results++;
        }
    }

    private void prepare(Operand operand) {
        if (operand.id != 0 && operand.result < 0) {
            inputs.computeIfAbsent(operand.id, writer::addInput);
        }
    }

    private void write(Operand operand) {
        if (operand.id == 0) {
            writer.immediate(Scalar.of(operand.type.dtype(), numbers.real()));
        } else if (operand.result >= 0) {
            writer.result(operand.result);
        } else {
            writer.input(inputs.get(operand.id));
        }
    }

    private void dropSome() {
        inputs.forEach((id, index) -> {
            if (numbers.oneIn(3)) {
                writer.dropInput(index);
                values.remove(id);
            }
        });
        for (int result = 0; result < results; result++) {
            if (numbers.oneIn(2)) {
                writer.drop(result);
                values.remove(lastId - results + 1 + result);
            }
        }
    }
}
