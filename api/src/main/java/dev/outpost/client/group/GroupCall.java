package dev.outpost.client.group;

import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * A call of a program on a group. Each run of the program is a segment, which is rewritten for the current placements of its operands.
 * Guarded by the ledger's lock.
 */
final class GroupCall {
    /** The operations that the members run. */
    interface Members {
        /** Makes the members run a program over values. */
        void run(Graph graph, Map<Integer, SignalPlacement> signals, long[] inputs, long[] outputs);

        /** Answers a fetch with this value. */
        void fetch(long fetch, long id, TensorType type);

        void free(long[] ids);
    }

    private static final TensorType ITERATION = new TensorType(DType.INT64, Shape.SCALAR);

    private final Members members;
    private final LongSupplier ids;
    private final ProgramCall call;
    private final ProgramSignature signature;
    private final Graph recorded;
    /** The placement of each instruction that was recorded within a signal, by instruction of the recorded graph. */
    private final Map<Integer, SignalPlacement> signals;
    /** For each output, the value of the recorded graph. */
    private final int[] outputs;
    /** For each input, the id of the value that it holds in the next run. */
    private final long[] held;
    /** Ids of live values that only this call owns. */
    private final Set<Long> owned = new HashSet<>();
    /** For each output, the id of its value after the latest run; 0 if it has none. */
    private long[] latest;

    private long iteration;

    /**
     * @param inputs the types of the inputs
     * @param ids draws ids of values that the program does not know
     */
    GroupCall(RemoteProgram program, ProgramCall call, TensorType[] inputs, Members members, LongSupplier ids) {
        this.members = members;
        this.ids = ids;
        this.call = call;
        this.signature = program.signature();
        this.signals = program.signals();
        this.recorded = program.graph(types(inputs));
        this.held = new long[recorded.structure().inputCount()];
        this.outputs = kept(recorded);
        int bound = 0;
        for (int input = 0; input < held.length; input++) {
            if (input != signature.iterationInput()) {
                held[input] = call.inputs()[bound];
                if (call.consumed()[bound]) {
                    owned.add(held[input]);
                }
                bound++;
            }
        }
    }

    private TensorType[] types(TensorType[] bound) {
        List<TensorType> types = new ArrayList<>(List.of(bound));
        if (signature.iterationInput() != ProgramSignature.NONE) {
            types.add(signature.iterationInput(), ITERATION);
        }
        return types.toArray(TensorType[]::new);
    }

    private static int[] kept(Graph graph) {
        Structure structure = graph.structure();
        return IntStream.range(0, structure.resultCount())
                .filter(structure::isKept)
                .map(result -> structure.inputCount() + result)
                .toArray();
    }

    long iterations() {
        return iteration;
    }

    long most() {
        return call.iterations();
    }

    /** Returns true if each run decides whether another one follows. */
    boolean stops() {
        return signature.stop() != ProgramSignature.NONE;
    }

    /** Returns the id of the value that is true if the latest run was the last. */
    long stopId() {
        return latest[signature.stop()];
    }

    boolean isLast() {
        return iteration >= call.iterations();
    }

    // ---- a call that runs once

    /** Runs the program once, and gives the outputs the ids that the caller knows. */
    void runOnce() {
        Run run = new Run();
        for (int place = 0; place < signature.bound().length; place++) {
            run.name(signature.bound()[place], call.outputs()[place]);
        }
        run.send(owned);
    }

    // ---- a scan

    /** Runs the program once more, and fetches the values that this run emits. */
    void runNext() {
        Run run = new Run();
        latest = new long[outputs.length];
        Set<Integer> wanted = new HashSet<>();
        signature.carries().forEach(carry -> wanted.add(carry.output()));
        Arrays.stream(signature.emitted()).forEach(wanted::add);
        Arrays.stream(signature.bound()).forEach(wanted::add);
        if (stops()) {
            wanted.add(signature.stop());
        }
        for (int output : wanted) {
            latest[output] = ids.getAsLong();
            run.name(output, latest[output]);
        }
        run.send(carriedOver());
        iteration++;
        Arrays.stream(latest).filter(id -> id != 0).forEach(owned::add);
        long fetch = call.firstFetch() + (iteration - 1) * signature.emitted().length;
        for (int output : signature.emitted()) {
            members.fetch(fetch++, latest[output], type(output));
        }
    }

    /** Returns the owned values that are only in inputs which the next run replaces. They end with the coming run. */
    private Set<Long> carriedOver() {
        Set<Long> dying = new HashSet<>(owned);
        Set<Integer> carried = new HashSet<>();
        signature.carries().forEach(carry -> carried.add(carry.input()));
        for (int input = 0; input < held.length; input++) {
            if (!carried.contains(input)) {
                dying.remove(held[input]);
            }
        }
        dying.retainAll(Arrays.stream(held).boxed().toList());
        return dying;
    }

    /** Prepares another run: passes the outputs of the latest run on to the inputs, and frees the other outputs. */
    void advance() {
        Set<Long> unwanted = new HashSet<>();
        Arrays.stream(latest).filter(id -> id != 0).forEach(unwanted::add);
        for (ProgramSignature.Carry carry : signature.carries()) {
            held[carry.input()] = latest[carry.output()];
            unwanted.remove(held[carry.input()]);
        }
        free(unwanted);
    }

    /** Ends the scan: gives the bound outputs the ids that the program knows, and frees the other owned values. */
    void end() {
        GraphBuilder builder = new GraphBuilder();
        Map<Long, Integer> inputs = new LinkedHashMap<>();
        for (int output : signature.bound()) {
            inputs.computeIfAbsent(latest[output], id -> builder.input(type(output)));
        }
        for (int output : signature.bound()) {
            builder.add(identity(type(output)), inputs.get(latest[output]));
        }
        inputs.values().forEach(builder::drop);
        if (!inputs.isEmpty()) {
            members.run(builder.build(), Map.of(), ids(inputs.keySet()), call.outputs());
        }
        owned.removeAll(inputs.keySet());
        free(Set.copyOf(owned));
    }

    private TensorType type(int output) {
        return recorded.type(outputs[output]);
    }

    private static AsStrided identity(TensorType type) {
        return new AsStrided(Layout.contiguous(type.shape()));
    }

    private void free(Set<Long> unwanted) {
        if (!unwanted.isEmpty()) {
            members.free(ids(unwanted));
            owned.removeAll(unwanted);
        }
    }

    private static long[] ids(Set<Long> of) {
        return of.stream().mapToLong(Long::longValue).toArray();
    }

    /** The segment of one run. A value that the program has as several inputs is one input of the segment. */
    private final class Run {
        private final GraphBuilder builder = new GraphBuilder();
        private final Map<Long, Integer> inputs = new LinkedHashMap<>();
        /** For each value of the recorded graph, the value of this segment. */
        private final int[] values = new int[recorded.valueCount()];

        private final Map<Integer, Long> names = new HashMap<>();
        private final Map<Integer, SignalPlacement> placements = new HashMap<>();

        Run() {
            for (int input = 0; input < held.length; input++) {
                if (input != signature.iterationInput()) {
                    TensorType type = recorded.type(input);
                    values[input] = inputs.computeIfAbsent(held[input], id -> builder.input(type));
                }
            }
            if (signature.iterationInput() != ProgramSignature.NONE) {
                values[signature.iterationInput()] =
                        builder.add(new Literal(ITERATION, iterationBytes())).result(0);
            }
            signature.at(recorded, call, iteration).instructions().forEach(this::copy);
        }

        private byte[] iterationBytes() {
            return ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(iteration)
                    .array();
        }

        private void copy(Instruction instruction) {
            int[] operands = new int[instruction.operandCount()];
            for (int position = 0; position < operands.length; position++) {
                int value = instruction.operand(position);
                operands[position] = value == Instruction.IMMEDIATE ? value : values[value];
            }
            Instruction copied = builder.copy(instruction, operands);
            if (signals.containsKey(instruction.index())) {
                placements.put(copied.index(), signals.get(instruction.index()));
            }
            String line = recorded.source(instruction.index());
            if (!line.isEmpty()) {
                builder.source(line);
            }
            for (int position = 0; position < instruction.resultCount(); position++) {
                values[instruction.result(position)] = copied.result(position);
            }
        }

        /**
         * Assigns an output its id. The ids of one instruction's results are consecutive, so each output gets its own
         * id by a view.
         */
        void name(int output, long id) {
            int view =
                    builder.add(identity(type(output)), values[outputs[output]]).result(0);
            names.put(view, id);
        }

        void send(Set<Long> dying) {
            for (Map.Entry<Long, Integer> input : inputs.entrySet()) {
                if (dying.contains(input.getKey())) {
                    builder.drop(input.getValue());
                    owned.remove(input.getKey());
                }
            }
            List<Long> kept = new ArrayList<>();
            for (int value = inputs.size(); value < builder.valueCount(); value++) {
                if (names.containsKey(value)) {
                    kept.add(names.get(value));
                } else {
                    builder.drop(value);
                }
            }
            members.run(
                    builder.build(),
                    placements,
                    ids(inputs.keySet()),
                    kept.stream().mapToLong(Long::longValue).toArray());
        }
    }
}
