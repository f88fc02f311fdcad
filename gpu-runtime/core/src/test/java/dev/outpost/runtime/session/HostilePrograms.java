package dev.outpost.runtime.session;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramCode;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.protocol.tape.ProgramSlots;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Defines, calls and scans programs; most of these messages are valid. */
final class HostilePrograms {
    private static final int SLOTS = 4;
    private static final int MAX_RUNS = 1000;
    private static final TensorType STATE = new TensorType(DType.FLOAT32, Shape.of(3));

    private record Defined(ProgramSignature signature, ProgramCall latest) {}

    private final HostileNumbers numbers;
    private final HostileBytes bytes;
    private final HostileSegments segments;
    private final Map<Integer, Defined> slots = new HashMap<>();
    private long scans;

    HostilePrograms(HostileNumbers numbers, HostileBytes bytes, HostileSegments segments) {
        this.numbers = numbers;
        this.bytes = bytes;
        this.segments = segments;
    }

    Message orderly() {
        int slot = numbers.below(SLOTS);
        Defined known = slots.get(slot);
        if (known == null || numbers.oneIn(5)) {
            return define(slot);
        }
        return switch (numbers.below(12)) {
            case 3 -> ToRuntime.Request.explainProgram(numbers.any(), slot);
            case 0 -> {
                slots.remove(slot);
                yield new ToRuntime.DropProgram(slot);
            }
            case 1 -> new ToRuntime.CancelScan(numbers.below((int) scans + 2));
            case 2 -> new ToRuntime.GrantEmissions(numbers.below((int) scans + 2), numbers.below(40));
            default -> run(slot, known);
        };
    }

    /** Draws a message with other slots, wirings or calls, or a damaged one. */
    Message disorderly() {
        int slot = numbers.oneIn(2) ? numbers.below(SLOTS) : numbers.below(2 * ProgramSlots.COUNT);
        return switch (numbers.below(9)) {
            case 5 -> ToRuntime.Request.explainProgram(numbers.any(), slot);
            case 0 -> new ToRuntime.DefineProgram(slot, numbers.bytes(numbers.below(60)));
            case 1 -> new ToRuntime.RunProgram(slot, numbers.below(9), numbers.bytes(numbers.below(20)));
            case 2 -> new ToRuntime.DropProgram(slot);
            case 3 -> new ToRuntime.GrantEmissions(numbers.any() & Long.MAX_VALUE, numbers.any() & Long.MAX_VALUE);
            case 4 -> new ToClient.Scanned(1, 1, false);
            default ->
                switch (orderly()) {
                    case ToRuntime.DefineProgram define ->
                        new ToRuntime.DefineProgram(define.program(), bytes.damage(define.code()));
                    case ToRuntime.RunProgram run ->
                        new ToRuntime.RunProgram(
                                run.program(), numbers.oneIn(3) ? 0 : run.scan(), bytes.damage(run.call()));
                    case Message other -> other;
                };
        };
    }

    /** state, iteration -> state + number, noise, whether noise is large. */
    private Message define(int slot) {
        SegmentWriter writer = new SegmentWriter();
        writer.addInput(1);
        writer.addInput(2);
        writer.begin(Binary.ADD, 2);
        writer.input(0);
        writer.immediate(Scalar.of(DType.FLOAT32, 1.0));
        writer.finish(Binary.ADD, 3, 1);
        add(writer, new Random(Random.Fn.UNIFORM, STATE, 1, 0, 0, 0), 4);
        add(writer, new Fill(Shape.SCALAR, Scalar.of(numbers.oneIn(9))), 5);
        boolean lies = numbers.oneIn(12);
        ProgramSignature signature = new ProgramSignature(
                List.of(new ProgramSignature.Place(lies ? numbers.below(3) : 0, lies ? numbers.below(3) : 1, 0)),
                1,
                new int[] {lies ? numbers.below(3) : 1},
                1,
                List.of(new ProgramSignature.Carry(0, lies ? numbers.below(3) : 0)),
                numbers.oneIn(3) ? 2 : ProgramSignature.NONE,
                numbers.oneIn(2) ? new int[] {1, 0} : new int[0],
                new int[] {0, 1});
        slots.put(slot, new Defined(signature, ProgramCall.none(1, signature)));
        return new ToRuntime.DefineProgram(slot, ProgramCode.write(writer, signature));
    }

    private static void add(SegmentWriter writer, Op op, long id) {
        writer.begin(op, 0);
        writer.finish(op, id, 1);
    }

    private Message run(int slot, Defined known) {
        List<Long> states = segments.of(STATE);
        if (states.isEmpty()) {
            SegmentWriter writer = new SegmentWriter();
            add(writer, new Fill(Shape.of(3), Scalar.of(DType.FLOAT32, 1.0)), segments.expect(STATE));
            return new ToRuntime.RunSegment(writer.toByteArray());
        }
        long state = states.get(numbers.below(states.size()));
        boolean isConsumed = numbers.oneIn(2);
        if (isConsumed) {
            segments.forget(state);
        }
        long runs = 1 + numbers.below(numbers.oneIn(50) ? MAX_RUNS : 30);
        ProgramCall call = new ProgramCall(
                numbers.oneIn(400) ? ProgramSlots.MAX_ITERATIONS + runs : runs,
                new long[] {state},
                new boolean[] {isConsumed},
                new long[] {segments.expect(STATE), segments.expect(STATE)},
                numbers.bits(),
                numbers.below(1000),
                new long[][] {{numbers.bits(), numbers.bits()}},
                1,
                2 * MAX_RUNS);
        slots.put(slot, new Defined(known.signature(), call));
        return new ToRuntime.RunProgram(slot, ++scans, call.since(known.latest(), known.signature()));
    }
}
