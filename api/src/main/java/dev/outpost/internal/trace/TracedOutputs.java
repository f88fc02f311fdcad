package dev.outpost.internal.trace;

import dev.outpost.client.program.ProgramInput;
import dev.outpost.client.program.ProgramOutputs;
import dev.outpost.client.program.ProgramRecorder;
import dev.outpost.client.program.TracedStorage;
import dev.outpost.client.program.TracedTensorRef;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Collects the destinations of the computed values at the end of a trace, in the form that the instructions need. */
public final class TracedOutputs {
    private static final TensorType CONDITION = new TensorType(DType.BOOL, Shape.SCALAR);

    private final ProgramRecorder recorder;
    private final TracedMode mode;
    private final List<RemoteValue> bound = new ArrayList<>();
    private final Map<RemoteValue, RemoteValue> carries = new LinkedHashMap<>();
    private final List<RemoteValue> emitted = new ArrayList<>();
    private final List<TensorType> stacked = new ArrayList<>();
    private final List<Integer> results = new ArrayList<>();
    private final List<TracedWrite> writes = new ArrayList<>();

    /** Copies of inputs that the run replaces, keyed by the input. */
    private final Map<RemoteValue, RemoteValue> kept = new IdentityHashMap<>();

    private RemoteValue stop;

    public TracedOutputs(ProgramRecorder recorder, TracedMode mode) {
        this.recorder = recorder;
        this.mode = mode;
    }

    public ProgramOutputs outputs(RemoteValue iteration) {
        return new ProgramOutputs(iteration, carries, stop, emitted, bound);
    }

    /** Returns a reference for each result of a call, or for each carried tensor after the last run. */
    public int[] results() {
        return results.stream().mapToInt(Integer::intValue).toArray();
    }

    public List<TracedWrite> writes() {
        return writes;
    }

    public TensorType[] emitted() {
        return emitted.stream().map(RemoteValue::type).toArray(TensorType[]::new);
    }

    /** Returns the types of the additional arguments that receive the emitted values of all runs. */
    public List<TensorType> stacked() {
        return stacked;
    }

    // ---- results of the function

    public void call(List<? extends TensorState> answers) {
        answers.forEach(answer -> results.add(reference(whole(answer))));
    }

    /**
     * @param carried the inputs for the carried tensors
     * @param iteration the input for the number of the run
     */
    public void scan(List<? extends TensorState> answers, List<RemoteValue> carried, RemoteValue iteration) {
        int needed = carried.size() + (mode.isConditional() ? 1 : 0);
        if (answers.size() < needed) {
            throw ProgramRecorder.refusal(
                    "scan",
                    "the function must answer what is carried" + (mode.isConditional() ? " and a condition" : "")
                            + ", got " + answers.size() + " tensors and " + needed);
        }
        for (int place = 0; place < carried.size(); place++) {
            carry(place, carried.get(place), whole(answers.get(place)));
        }
        if (mode.isConditional()) {
            stop = computed(whole(answers.get(carried.size())));
            if (!stop.type().equals(CONDITION)) {
                throw ProgramRecorder.refusal("scan", "the condition must be " + CONDITION + ", got " + stop.type());
            }
        }
        for (TensorState answer : answers.subList(needed, answers.size())) {
            if (mode.stacks()) {
                stack(answer, carried.size() + stacked.size(), iteration);
            } else {
                emitted.add(computed(whole(answer)));
            }
        }
    }

    /** Adds an argument for a stack of emitted values. Each run writes its row of it. */
    private void stack(TensorState answer, int argument, RemoteValue iteration) {
        TensorType type = new TensorType(answer.dtype(), rows(mode.stack(), answer.shape()));
        RemoteValue entry = recorder.input(new ProgramInput.Argument(argument), type);
        RemoteValue row = viewed(iteration, Shape.of(1));
        RemoteValue source = whole(States.view(answer, States.layout(answer).unsqueeze(0)));
        RemoteValue written = recorder.record(new IndexWrite(Scatter.Fn.SET, 0), entry, row, source);
        writes.add(new TracedWrite.OfArgument(argument, handOn(entry, written)));
        stacked.add(type);
    }

    private static Shape rows(long count, Shape row) {
        return Shape.of(LongStream.concat(LongStream.of(count), Arrays.stream(row.toArray()))
                .toArray());
    }

    private void carry(int place, RemoteValue input, RemoteValue answer) {
        if (!answer.type().equals(input.type())) {
            throw ProgramRecorder.refusal(
                    "scan",
                    "what is carried keeps its type, got " + answer.type() + " for " + input.type() + " at " + place);
        }
        results.add(handOn(input, answer));
    }

    private RemoteValue whole(TensorState answer) {
        RemoteValue value = States.wholeValue(answer);
        return value != null ? value : States.wholeValue(OpRecording.apply(Unary.COPY, answer));
    }

    // ---- writes of the function

    public void arguments() {
        recorder.arguments().forEach((outer, argument) -> {
            RemoteValue now = argument.current();
            if (now != argument.entry() && mode.isCall()) {
                ProgramInput input = recorder.source(argument.entry());
                writes.add(new TracedWrite.OfArgument(
                        ((ProgramInput.Argument) input).index(),
                        reference(shaped(now, argument.entry().type()))));
            }
        });
    }

    public void storages() {
        for (TracedStorage traced : recorder.storages()) {
            if (traced.isWritten()) {
                TensorType type = traced.storage().handle().held().type();
                writes.add(new TracedWrite.OfOuter(
                        traced.storage(), handOn(traced.entry(), shaped(traced.current(), type))));
            }
        }
    }

    public void places() {
        for (TracedTensorRef<?> traced : recorder.state().places()) {
            RemoteValue now = traced.now();
            if (now != traced.entry() || traced.entry() == null && !traced.isReadAsNone()) {
                requireSameForEachRun(traced, now);
                int reference = now == null ? TracedWrite.NOTHING : handOn(traced.entry(), now);
                writes.add(new TracedWrite.OfPlace(traced.place(), reference));
            }
        }
    }

    private void requireSameForEachRun(TracedTensorRef<?> traced, RemoteValue now) {
        boolean comesOrGoes = traced.isReadAsNone() && now != null || traced.entry() != null && now == null;
        if (!mode.isCall() && comesOrGoes) {
            throw ProgramRecorder.refusal(
                    "scan",
                    "each run must find what the one before found, but the "
                            + traced.place().label()
                            + " is there in only one of two; drop it in the run, by zeroGrad");
        }
    }

    // ---- values

    /** Makes a changed value the input of the next run if the program runs as a scan. */
    private int handOn(RemoteValue entry, RemoteValue now) {
        if (mode.isCall() || entry == null || entry == now) {
            return reference(mode.isCall() || entry == now ? now : computed(now));
        }
        RemoteValue result = computed(now);
        carries.put(entry, result);
        return reference(result);
    }

    private int reference(RemoteValue value) {
        int input = recorder.inputIndex(value);
        if (input < 0) {
            return place(value);
        }
        return isReplaced(value) ? place(kept.computeIfAbsent(value, this::computed)) : -1 - input;
    }

    private int place(RemoteValue value) {
        int known = bound.indexOf(value);
        if (known >= 0) {
            return known;
        }
        bound.add(value);
        return bound.size() - 1;
    }

    /** True if the run replaces the value in the input's storage, so that the old value may be released. */
    private boolean isReplaced(RemoteValue input) {
        return recorder.arguments().values().stream()
                        .anyMatch(argument -> argument.entry() == input && argument.current() != input)
                || recorder.storages().stream().anyMatch(storage -> storage.entry() == input && storage.isWritten());
    }

    /** Returns the value if an instruction computed it; copies an input. */
    private RemoteValue computed(RemoteValue value) {
        return recorder.inputIndex(value) < 0
                ? value
                : viewed(value, value.type().shape());
    }

    private RemoteValue shaped(RemoteValue value, TensorType type) {
        return value.type().equals(type) ? value : viewed(value, type.shape());
    }

    private RemoteValue viewed(RemoteValue value, Shape shape) {
        return recorder.view(value, Layout.contiguous(shape));
    }
}
