package dev.outpost.runtime.session;

import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.tape.SegmentArguments;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes segments for one session; most of them can be run. */
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

    /** An arbitrary id. */
    long anyId() {
        return numbers.oneIn(2) ? numbers.any() : 1 + numbers.below((int) lastId + 1);
    }

    /** The id of a value that the session should have; 0 if it has none. */
    long id() {
        return values.isEmpty() ? 0 : List.copyOf(values.keySet()).get(numbers.below(values.size()));
    }

    /** The id of a value that the session will have soon. */
    long expect(TensorType type) {
        values.put(++lastId, type);
        return lastId;
    }

    /** The ids of values of a type. */
    List<Long> of(TensorType type) {
        return values.entrySet().stream()
                .filter(value -> value.getValue().equals(type))
                .map(Map.Entry::getKey)
                .toList();
    }

    void forget(long id) {
        values.remove(id);
    }

    List<Upload> uploads() {
        return ops.uploads();
    }

    HostileRepeats.Written next() {
        writer = new SegmentWriter();
        known = new ArrayList<>();
        values.forEach((id, type) -> known.add(new Operand(type, id, -1)));
        inputs = new HashMap<>();
        results = 0;
        for (int count = instructions(); count > 0; count--) {
            add();
        }
        List<TensorType> inputTypes = inputTypes();
        BitSet dying = new BitSet();
        List<TensorType> outputs = dropSome(dying);
        return new HostileRepeats.Written(writer.structure(), writer.particulars(), inputTypes, dying, outputs);
    }

    /** Returns true if different values of these types exist. */
    boolean has(List<TensorType> types) {
        return choose(types).size() == types.size();
    }

    /** Returns the arguments for another run of a segment with the given data. */
    SegmentArguments again(HostileRepeats.Written segment, byte[] data) {
        List<Long> chosen = choose(segment.inputs());
        segment.dying().stream().forEach(input -> values.remove(chosen.get(input)));
        long[] outputs = new long[segment.outputs().size()];
        for (int output = 0; output < outputs.length; output++) {
            outputs[output] = ++lastId;
            values.put(lastId, segment.outputs().get(output));
        }
        long[] chosenIds = chosen.stream().mapToLong(Long::longValue).toArray();
        return new SegmentArguments(data, chosenIds, outputs, new byte[] {0});
    }

    /** Chooses a value of each type, while there are any. */
    private List<Long> choose(List<TensorType> types) {
        Set<Long> chosen = new LinkedHashSet<>();
        for (TensorType type : types) {
            values.entrySet().stream()
                    .filter(value -> value.getValue().equals(type) && !chosen.contains(value.getKey()))
                    .findFirst()
                    .ifPresent(value -> chosen.add(value.getKey()));
        }
        return List.copyOf(chosen);
    }

    private List<TensorType> inputTypes() {
        TensorType[] types = new TensorType[inputs.size()];
        inputs.forEach((id, index) -> types[index] = values.get(id));
        return List.of(types);
    }

    private int instructions() {
        return numbers.oneIn(300) ? numbers.below(2000) : numbers.below(12);
    }

    /** Adds an instruction that its op accepts, or, seldom, one that it does not accept. */
    private void add() {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            try {
                boolean source = known.isEmpty() || numbers.oneIn(4);
                Operand first = source ? null : operand();
                write(source ? ops.source() : ops.of(first.type), operands(first));
                return;
            } catch (OutpostException | ArithmeticException ignored) {
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

    /** Drops some values and returns the types of the remaining results. */
    private List<TensorType> dropSome(BitSet dying) {
        inputs.forEach((id, index) -> {
            if (numbers.oneIn(3)) {
                writer.dropInput(index);
                dying.set(index);
                values.remove(id);
            }
        });
        List<TensorType> kept = new ArrayList<>();
        for (int result = 0; result < results; result++) {
            long id = lastId - results + 1 + result;
            if (numbers.oneIn(2)) {
                writer.drop(result);
                values.remove(id);
            } else {
                kept.add(values.get(id));
            }
        }
        return kept;
    }
}
