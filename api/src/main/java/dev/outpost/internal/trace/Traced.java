package dev.outpost.internal.trace;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramInput;
import dev.outpost.client.program.ProgramRecorder;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.program.TensorRef;
import dev.outpost.client.program.TracedNumbers;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.explain.Explanation;
import dev.outpost.internal.Cell;
import dev.outpost.internal.GuardedUpdate;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.Writes;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Fill;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Scalar;
import dev.outpost.types.TensorType;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The trace of a function for one kind of inputs and one state of the program. It defines the values that a call reads, sends and
 * binds.
 */
public final class Traced {
    private final TracedMode mode;
    private final List<ProgramArgument> arguments;
    private final RemoteProgram program;
    private final List<ProgramInput> inputs;
    private final Map<Supplier<?>, Object> facts;
    private final TracedNumbers numbers;
    private final int draws;
    private final int[] results;
    private final List<TracedWrite> writes;
    private final int storageWrites;
    private final TensorType[] emitted;
    private final List<TensorType> stacked;
    private final List<GuardedUpdate> updates;

    /** The types of captured values. A value that is both captured and an argument has the argument's type here. */
    private final Map<Storage, TensorType> captured = new IdentityHashMap<>();

    private final Map<Storage, Integer> givenTwice = new IdentityHashMap<>();
    private final Map<TensorRef<?>, TensorType> places = new LinkedHashMap<>();

    public Traced(
            ProgramRecorder recorder,
            TracedMode mode,
            List<ProgramArgument> arguments,
            RemoteProgram program,
            TracedOutputs outputs) {
        this.mode = mode;
        this.arguments = arguments;
        this.program = program;
        this.inputs = List.copyOf(recorder.inputs());
        this.facts = recorder.state().facts();
        this.numbers = recorder.state().numbers();
        this.draws = recorder.draws();
        this.results = outputs.results();
        this.writes = List.copyOf(outputs.writes());
        this.storageWrites = (int)
                writes.stream().filter(TracedWrite.OfStorage.class::isInstance).count();
        this.emitted = outputs.emitted();
        this.stacked = List.copyOf(outputs.stacked());
        this.updates = recorder.state().updates(GuardedUpdate.class);
        recorder.storages().forEach(traced -> captured.put(traced.storage(), typeOf(traced.entry())));
        recorder.arguments().forEach((storage, argument) -> {
            if (argument.isCaptured()) {
                givenTwice.put(storage, ((ProgramInput.Argument) recorder.source(argument.entry())).index());
            }
        });
        recorder.state().places().forEach(traced -> {
            if (traced.entry() != null || traced.isReadAsNone()) {
                places.put(traced.place(), typeOf(traced.entry()));
            }
        });
    }

    private static TensorType typeOf(RemoteValue entry) {
        return entry == null ? null : entry.type();
    }

    // ---- checks whether a call can use this trace

    public boolean fits(Recorder recorder, List<? extends TensorState> given, TracedMode asked) {
        return asked.equals(mode)
                && recorder == program.recorder()
                && arguments.equals(ProgramArgument.of(given))
                && isAliasedAlike(given)
                && captured.entrySet().stream().allMatch(Traced::isOfItsType)
                && places.entrySet().stream().allMatch(Traced::isThereAlike)
                && facts.entrySet().stream()
                        .allMatch(fact -> Objects.equals(fact.getKey().get(), fact.getValue()))
                && numbers.hold();
    }

    /** True if the same arguments as in the trace share storages with captured tensors. */
    private boolean isAliasedAlike(List<? extends TensorState> given) {
        long both = 0;
        for (int index = 0; index < given.size(); index++) {
            Cell cell = States.cell(given.get(index));
            if (captured.containsKey(cell)) {
                return false;
            }
            both += Objects.equals(givenTwice.get(cell), index) ? 1 : 0;
        }
        return both == givenTwice.size();
    }

    private static boolean isOfItsType(Map.Entry<Storage, TensorType> storage) {
        RemoteValue now = storage.getKey().handle().value();
        return now != null
                && !now.isLost()
                && (storage.getValue() == null || storage.getValue().equals(now.type()));
    }

    private static boolean isThereAlike(Map.Entry<TensorRef<?>, TensorType> place) {
        return Objects.equals(place.getValue(), place.getKey().heldType());
    }

    /**
     * Returns the traced graph in a form that can be stored.
     *
     * @throws OutpostException if the function draws random numbers, writes something in place, or depends on anything except its
     *     arguments and captured tensors
     */
    public TracedGraph graph() {
        if (draws > 0 || !writes.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER,
                    draws > 0
                            ? "it draws random numbers; call eval() on the module first"
                            : "it writes something in place; call eval() on the module first");
        }
        List<TensorType> types = new ArrayList<>();
        List<TracedGraph.Source> sources = new ArrayList<>();
        for (ProgramInput input : inputs) {
            switch (input) {
                case ProgramInput.Argument argument -> {
                    types.add(arguments.get(argument.index()).storage());
                    sources.add(new TracedGraph.Source.Argument(argument.index()));
                }
                case ProgramInput.Captured captive -> {
                    types.add(captured.get(captive.storage()));
                    sources.add(new TracedGraph.Source.Captured((Cell) captive.storage()));
                }
                case ProgramInput.Kept kept ->
                    throw new OutpostException(FaultKind.USER, "it depends on " + kept.label());
                case ProgramInput.Iteration iteration ->
                    throw new OutpostException(FaultKind.USER, "it depends on the number of a run");
            }
        }
        Graph graph = program.graph(types.toArray(TensorType[]::new));
        return new TracedGraph(
                graph,
                program.code(),
                sources,
                outputs(graph, program.signature().bound()));
    }

    /** Returns the values of the graph that are the function's results. */
    private List<Integer> outputs(Graph graph, int[] bound) {
        List<Integer> kept = new ArrayList<>();
        for (int result = 0; result < graph.structure().resultCount(); result++) {
            if (graph.structure().isKept(result)) {
                kept.add(graph.structure().inputCount() + result);
            }
        }
        return Arrays.stream(results)
                .mapToObj(reference -> reference < 0 ? -1 - reference : kept.get(bound[reference]))
                .toList();
    }

    // ---- calls and scans

    public List<TensorState> call(TensorDevice device, List<? extends TensorState> given) {
        updates.forEach(GuardedUpdate::settle);
        updates.forEach(update -> update.runs(program.recorder()));
        List<TensorState> made = new ArrayList<>();
        List<TensorState> answers = Writes.withLocks(
                changed(given), () -> bind(device, program.recorder().run(run(device, given, made, 1))));
        made.forEach(TensorState::close);
        numbers.advanced(1);
        Reference.reachabilityFence(given);
        reportUpdates(answers);
        return answers;
    }

    public RecordedScan scan(TensorDevice device, List<? extends TensorState> carry, long runs) {
        updates.forEach(GuardedUpdate::settle);
        List<TensorState> stacks = GradMode.with(false, () -> stacks(device));
        try {
            return scan(device, carry, stacks, runs);
        } catch (RuntimeException failure) {
            // The stacks have no other owner and may be large.
            stacks.forEach(TensorState::close);
            throw failure;
        }
    }

    private RecordedScan scan(
            TensorDevice device, List<? extends TensorState> carry, List<TensorState> stacks, long runs) {
        List<TensorState> given = new ArrayList<>(carry);
        given.addAll(stacks);
        List<TensorState> made = new ArrayList<>();
        RemoteScan remote = program.recorder().scan(emitted, runs);
        List<TensorState> answers = new ArrayList<>();
        ProgramCalled[] begun = new ProgramCalled[1];
        try {
            try {
                Writes.withLocks(changed(given), () -> {
                    begun[0] = program.recorder().run(run(device, given, made, runs), remote);
                    return answers.addAll(bind(device, begun[0]));
                });
                made.forEach(TensorState::close);
            } finally {
                // Other threads wait for the remaining runs, even if something failed here.
                if (begun[0] != null) {
                    begun[0].rest().run();
                }
            }
        } catch (RuntimeException | Error failure) {
            answers.forEach(TensorState::close);
            throw failure;
        }
        RecordedScan scan = new RecordedScan(
                program.recorder(),
                remote,
                new EmittedValues(mode.stacks(), emitted, stacks),
                answers,
                runs,
                mode.isConditional(),
                new AtomicBoolean());
        numbers.advancing(scan::counted);
        Reference.reachabilityFence(given);
        reportUpdates(scan.carry());
        return scan;
    }

    /** Reports updates of earlier calls that were skipped. If this throws, closes the results, because the caller never gets them. */
    private void reportUpdates(List<? extends TensorState> answers) {
        try {
            updates.forEach(GuardedUpdate::report);
        } catch (RuntimeException failure) {
            answers.forEach(TensorState::close);
            throw failure;
        }
    }

    private List<TensorState> stacks(TensorDevice device) {
        return stacked.stream()
                .map(type -> OpRecording.make(device, new Fill(type.shape(), Scalar.of(type.dtype(), 0L))))
                .toList();
    }

    private ValueHandle[] handles(List<? extends TensorState> given, List<TensorState> made) {
        List<ValueHandle> handles = new ArrayList<>(inputs.size());
        for (ProgramInput input : inputs) {
            switch (input) {
                case ProgramInput.Argument argument ->
                    handles.add(States.cell(given.get(argument.index())).handle());
                case ProgramInput.Captured captive ->
                    handles.add(captive.storage().handle());
                case ProgramInput.Kept kept -> handles.add(kept.place().lend(each -> made.add((TensorState) each)));
                case ProgramInput.Iteration iteration -> {
                    // The machine counts the runs.
                }
            }
        }
        return handles.toArray(ValueHandle[]::new);
    }

    /**
     * Returns the storages that a call must lock: the storages that it writes, and the guards of the references to tensors
     * ({@link TensorRef}) that it reads or writes.
     */
    private Cell[] changed(List<? extends TensorState> given) {
        Cell[] changed = new Cell[writes.size() + places.size()];
        int count = 0;
        for (TracedWrite write : writes) {
            changed[count++] = (Cell)
                    switch (write) {
                        case TracedWrite.OfStorage storage -> storage.storage(given);
                        case TracedWrite.OfPlace kept -> kept.place().guard();
                    };
        }
        for (TensorRef<?> place : places.keySet()) {
            changed[count++] = (Cell) place.guard();
        }
        return changed;
    }

    private ProgramRun run(TensorDevice device, List<? extends TensorState> given, List<TensorState> made, long runs) {
        ValueHandle[] replaced = new ValueHandle[storageWrites];
        int[] replacements = new int[storageWrites];
        int count = 0;
        for (TracedWrite write : writes) {
            if (write instanceof TracedWrite.OfStorage storage) {
                replacements[count] = bound(storage.reference());
                replaced[count++] = open(storage.storage(given).handle());
            }
        }
        return new ProgramRun(
                program,
                handles(given, made),
                runs,
                numbers.bits(runs),
                device.random().seed(),
                device.random().take(runs * draws),
                replaced,
                replacements);
    }

    private static ValueHandle open(ValueHandle handle) {
        handle.held();
        return handle;
    }

    /** Converts a reference to an input into its index among the bound inputs. */
    private int bound(int reference) {
        if (reference >= 0) {
            return reference;
        }
        int input = -1 - reference;
        long before = inputs.subList(0, input).stream()
                .filter(ProgramInput.Iteration.class::isInstance)
                .count();
        return reference + (int) before;
    }

    private List<TensorState> bind(TensorDevice device, ProgramCalled called) {
        List<TensorState> answers = new ArrayList<>(results.length);
        for (int result : results) {
            answers.add(device.sharing(called.named(bound(result))));
        }
        for (TracedWrite write : writes) {
            if (write instanceof TracedWrite.OfPlace kept) {
                kept.place()
                        .bind(kept.reference() == TracedWrite.NOTHING ? null : called.named(bound(kept.reference())));
            }
        }
        for (RemoteValue output : called.outputs()) {
            output.abandon();
        }
        return answers;
    }

    // ---- properties

    public List<String> captured() {
        return inputs.stream()
                .filter(input -> input instanceof ProgramInput.Captured || input instanceof ProgramInput.Kept)
                .map(ProgramInput::label)
                .toList();
    }

    /** Returns the types of the arguments of the trace. */
    public List<TensorType> argumentTypes() {
        return arguments.stream()
                .map(argument -> new TensorType(
                        argument.storage().dtype(), argument.layout().shape()))
                .toList();
    }

    public List<String> written() {
        return writes.stream().map(TracedWrite::label).toList();
    }

    public int instructions() {
        return program.instructions();
    }

    /** True if a call or a scan with these arguments can use this trace. */
    public boolean fits(Recorder recorder, List<? extends TensorState> given) {
        return fits(recorder, given, mode);
    }

    /** Explains how the machine computed the latest run. Inputs have the names of the outer tensors. */
    public Explanation explain() {
        return program.recorder()
                .explain(program)
                .orElseThrow(
                        () -> new OutpostException(
                                FaultKind.USER,
                                "explain: the machine does not keep the program, others have taken its place; call it once more"))
                .renamed(inputNames());
    }

    /**
     * Maps the machine's names of inputs, which are numbers from 1, to the names of the tensors. A name that two inputs share is left
     * out.
     */
    private Map<String, String> inputNames() {
        Map<String, Long> counts =
                inputs.stream().collect(Collectors.groupingBy(ProgramInput::name, Collectors.counting()));
        Map<String, String> names = new HashMap<>();
        for (int place = 0; place < inputs.size(); place++) {
            String name = inputs.get(place).name();
            if (!name.isEmpty() && counts.get(name) == 1) {
                names.put("%" + (place + 1), name);
            }
        }
        return names;
    }

    public void drop() {
        program.recorder().drop(program);
    }
}
