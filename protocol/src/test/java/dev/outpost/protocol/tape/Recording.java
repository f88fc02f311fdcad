package dev.outpost.protocol.tape;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.RecordedGraph;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpSample;
import dev.outpost.protocol.op.OpSamples;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A segment under construction that also keeps its contents in plain lists. */
final class Recording {

    /** The origin of an operand: an input, a result or a number. */
    sealed interface Operand {}

    record Input(int index) implements Operand {}

    record Result(int index) implements Operand {}

    record Immediate(Scalar value) implements Operand {}

    record Step(Op op, List<Operand> operands, List<TensorType> operandTypes, String source) {}

    private static final List<OpSample> SAMPLES = OpSamples.all();

    final RecordedGraph recorded = new RecordedGraph();
    final List<TensorType> inputTypes = new ArrayList<>();
    final List<Long> inputIds = new ArrayList<>();
    final List<Boolean> dying = new ArrayList<>();
    final List<TensorType> resultTypes = new ArrayList<>();
    final List<Long> resultIds = new ArrayList<>();
    final List<Boolean> kept = new ArrayList<>();
    final List<Step> steps = new ArrayList<>();

    private final RandomGenerator ids;
    private long nextId = 1_000_000;

    /** Ids are drawn from a source of their own, so that one graph can be recorded under different ids. */
    Recording(RandomGenerator ids) {
        this.ids = ids;
    }

    /** A graph that the seed alone decides. */
    static Recording random(RandomGenerator random, RandomGenerator ids) {
        Recording recording = new Recording(ids);
        int steps = random.nextInt(40);
        for (int step = 0; step < steps; step++) {
            recording.addSample(SAMPLES.get(random.nextInt(SAMPLES.size())), random);
        }
        recording.dropSome(random);
        return recording;
    }

    SegmentWriter writer() {
        return SegmentWriter.of(recorded);
    }

    TensorType[] inputTypeArray() {
        return inputTypes.toArray(TensorType[]::new);
    }

    Segment read() {
        return Segment.read(writer().toByteArray());
    }

    Graph graph() {
        return read().graph(inputTypeArray());
    }

    Input input(TensorType type) {
        long id = 1_000L * inputIds.size() + 1 + ids.nextInt(1_000);
        inputTypes.add(type);
        inputIds.add(id);
        dying.add(false);
        return new Input(recorded.addInput(id));
    }

    /** Records an op; the answer is its first result. */
    Result add(Op op, Operand... operands) {
        return add(op, List.of(operands), "");
    }

    Result add(Op op, List<Operand> operands, String source) {
        List<TensorType> operandTypes = operands.stream().map(this::type).toList();
        TensorType[] types = op.infer(operandTypes.toArray(TensorType[]::new));
        operands.forEach(this::write);
        nextId += ids.nextInt(3);
        int first = recorded.finish(op, nextId, types.length);
        for (TensorType type : types) {
            resultTypes.add(type);
            resultIds.add(nextId++);
            kept.add(true);
        }
        if (!source.isEmpty()) {
            recorded.source(source);
        }
        steps.add(new Step(op, operands, operandTypes, source));
        return new Result(first);
    }

    void drop(int result) {
        recorded.drop(result);
        kept.set(result, false);
    }

    void dropInput(int input) {
        recorded.dropInput(input);
        dying.set(input, true);
    }

    private void addSample(OpSample sample, RandomGenerator random) {
        List<Operand> operands = sample.operands().stream()
                .map(type -> pick(sample.op(), type, random))
                .toList();
        add(sample.op(), operands, random.nextInt(4) == 0 ? "Train.java:" + random.nextInt(500) : "");
    }

    private Operand pick(Op op, TensorType type, RandomGenerator random) {
        if (op instanceof Binary && random.nextInt(4) == 0) {
            return new Immediate(Scalar.of(type.dtype(), (long) random.nextInt(100)));
        }
        List<Operand> known = known(type);
        return known.isEmpty() || random.nextInt(5) == 0 ? input(type) : known.get(random.nextInt(known.size()));
    }

    private List<Operand> known(TensorType type) {
        List<Operand> known = new ArrayList<>();
        for (int index = 0; index < inputTypes.size(); index++) {
            if (inputTypes.get(index).equals(type)) {
                known.add(new Input(index));
            }
        }
        for (int index = 0; index < resultTypes.size(); index++) {
            if (resultTypes.get(index).equals(type)) {
                known.add(new Result(index));
            }
        }
        return known;
    }

    private void dropSome(RandomGenerator random) {
        for (int result = 0; result < kept.size(); result++) {
            if (random.nextBoolean()) {
                drop(result);
            }
        }
        for (int input = 0; input < dying.size(); input++) {
            if (random.nextInt(3) == 0) {
                dropInput(input);
            }
        }
    }

    private TensorType type(Operand operand) {
        return switch (operand) {
            case Input input -> inputTypes.get(input.index);
            case Result result -> resultTypes.get(result.index);
            case Immediate immediate -> new TensorType(immediate.value.dtype(), Shape.SCALAR);
        };
    }

    private void write(Operand operand) {
        switch (operand) {
            case Input input -> recorded.input(input.index);
            case Result result -> recorded.result(result.index);
            case Immediate immediate -> recorded.immediate(immediate.value);
        }
    }
}
