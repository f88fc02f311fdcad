package dev.outpost;

import dev.outpost.client.ClientSession;
import dev.outpost.client.ProgramCalled;
import dev.outpost.client.ProgramRun;
import dev.outpost.client.RemoteProgram;
import dev.outpost.client.RemoteScan;
import dev.outpost.client.RemoteValue;
import dev.outpost.client.ValueHandle;
import dev.outpost.protocol.explain.Explanation;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.types.TensorType;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A function as it was traced for one kind of inputs, in one state of the world: what a call reads, sends and binds. */
final class Traced {
    private final TracedMode mode;
    private final List<ProgramArgument> arguments;
    private final RemoteProgram program;
    private final List<ProgramInput> inputs;
    private final Map<Supplier<?>, Object> facts;
    private final TracedNumbers numbers;
    private final int draws;
    private final int[] results;
    private final List<TracedWrite> writes;
    private final TensorType[] emitted;
    private final List<TensorType> stacked;
    private final Set<GuardedUpdate> updates;

    /** The types of captured values; of those that a function both captured and was given, the argument. */
    private final Map<Cell, TensorType> captured = new IdentityHashMap<>();

    private final Map<Cell, Integer> givenTwice = new IdentityHashMap<>();
    private final Map<Variable, TensorType> gradients = new IdentityHashMap<>();

    Traced(
            Trace trace,
            TracedMode mode,
            List<ProgramArgument> arguments,
            RemoteProgram program,
            TracedOutputs outputs) {
        this.mode = mode;
        this.arguments = arguments;
        this.program = program;
        this.inputs = List.copyOf(trace.inputs());
        this.facts = trace.facts();
        this.numbers = trace.numbers();
        this.draws = trace.recorder().draws();
        this.results = outputs.results();
        this.writes = List.copyOf(outputs.writes());
        this.emitted = outputs.emitted();
        this.stacked = List.copyOf(outputs.stacked());
        this.updates = Set.copyOf(trace.updates());
        trace.cells().forEach(traced -> captured.put(traced.cell, traced.entry == null ? null : traced.entry.type()));
        trace.arguments().forEach((cell, argument) -> {
            if (argument.captured) {
                ProgramInput input = inputs.get(trace.recorder().inputIndex(argument.entry));
                givenTwice.put(cell, ((ProgramInput.Argument) input).index());
            }
        });
        trace.gradients().forEach((variable, traced) -> {
            if (traced.entry != null || traced.readAsNone) {
                gradients.put(variable, traced.entry == null ? null : traced.entry.type());
            }
        });
    }

    // ---- whether it is the right one

    boolean fits(ClientSession session, List<Tensor> given, TracedMode asked) {
        return asked.equals(mode)
                && session == program.session()
                && arguments.equals(ProgramArgument.of(given))
                && isAliasedAlike(given)
                && captured.entrySet().stream().allMatch(Traced::isOfItsType)
                && gradients.entrySet().stream().allMatch(Traced::isThereAlike)
                && facts.entrySet().stream()
                        .allMatch(fact -> Objects.equals(fact.getKey().get(), fact.getValue()))
                && numbers.hold();
    }

    /** A storage that is both given and captured must be seen as one, and two must not. */
    private boolean isAliasedAlike(List<Tensor> given) {
        long both = 0;
        for (int index = 0; index < given.size(); index++) {
            Cell cell = given.get(index).cell();
            if (captured.containsKey(cell)) {
                return false;
            }
            both += Objects.equals(givenTwice.get(cell), index) ? 1 : 0;
        }
        return both == givenTwice.size();
    }

    private static boolean isOfItsType(Map.Entry<Cell, TensorType> cell) {
        Cell now = cell.getKey();
        return !now.isClosed()
                && (cell.getValue() == null || cell.getValue().equals(now.held().type()));
    }

    private static boolean isThereAlike(Map.Entry<Variable, TensorType> gradient) {
        Tensor now = gradient.getKey().gradient();
        return Objects.equals(gradient.getValue(), now == null ? null : now.heldType());
    }

    // ---- running it

    List<Tensor> call(RemoteMachine machine, List<Tensor> given) {
        updates.forEach(GuardedUpdate::settle);
        updates.forEach(update -> update.runs(program.session()));
        List<Tensor> made = new ArrayList<>();
        List<Tensor> answers = bind(program.session().run(run(machine, given, made, 1)));
        made.forEach(Tensor::close);
        numbers.advanced(1);
        Reference.reachabilityFence(given);
        reportUpdates(answers);
        return answers;
    }

    Scan scan(RemoteMachine machine, List<Tensor> carry, long runs) {
        updates.forEach(GuardedUpdate::settle);
        List<Tensor> stacks = GradMode.with(false, this::stacks);
        try {
            return scan(machine, carry, stacks, runs);
        } catch (RuntimeException refused) {
            // Nobody else can: they are as large as anything.
            stacks.forEach(Tensor::close);
            throw refused;
        }
    }

    private Scan scan(RemoteMachine machine, List<Tensor> carry, List<Tensor> stacks, long runs) {
        List<Tensor> given = new ArrayList<>(carry);
        given.addAll(stacks);
        List<Tensor> made = new ArrayList<>();
        RemoteScan remote = program.session().scan(emitted, runs);
        ProgramCalled called = program.session().run(run(machine, given, made, runs), remote);
        made.forEach(Tensor::close);
        Scan scan = new Scan(
                program.session(),
                remote,
                new Scan.Emitted(mode.stacks(), emitted, stacks),
                bind(called),
                runs,
                mode.isConditional());
        numbers.advancing(scan);
        Reference.reachabilityFence(given);
        reportUpdates(scan.carry());
        return scan;
    }

    /** Updates of earlier calls that were left out. Nobody else can close what a call answers that throws. */
    private void reportUpdates(List<Tensor> answers) {
        try {
            updates.forEach(GuardedUpdate::report);
        } catch (RuntimeException untold) {
            answers.forEach(Tensor::close);
            throw untold;
        }
    }

    private List<Tensor> stacks() {
        return stacked.stream()
                .map(type -> Creation.full(program.session(), type.shape(), type.dtype(), 0))
                .toList();
    }

    private ValueHandle[] handles(List<Tensor> given, List<Tensor> made) {
        List<ValueHandle> handles = new ArrayList<>(inputs.size());
        for (ProgramInput input : inputs) {
            if (!(input instanceof ProgramInput.Iteration)) {
                handles.add(input.handle(given, made));
            }
        }
        return handles.toArray(ValueHandle[]::new);
    }

    private ProgramRun run(RemoteMachine machine, List<Tensor> given, List<Tensor> made, long runs) {
        List<ValueHandle> replaced = new ArrayList<>();
        int[] replacements = new int[writes.size()];
        for (TracedWrite write : writes) {
            if (write instanceof TracedWrite.OfStorage storage) {
                replacements[replaced.size()] = bound(storage.reference());
                // Fails where it is closed.
                storage.cell(given).value();
                replaced.add(storage.cell(given).handle());
            }
        }
        return new ProgramRun(
                program,
                handles(given, made),
                runs,
                numbers.bits(runs),
                machine.seed(),
                machine.takeDraws(runs * draws),
                replaced.toArray(ValueHandle[]::new),
                replacements);
    }

    /** Inputs are named by their place among those that are bound. */
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

    private List<Tensor> bind(ProgramCalled called) {
        List<Tensor> answers = new ArrayList<>(results.length);
        for (int result : results) {
            answers.add(Tensor.sharing(called.named(bound(result))));
        }
        for (TracedWrite write : writes) {
            if (write instanceof TracedWrite.OfGradient gradient) {
                gradient.bind(
                        gradient.reference() == TracedWrite.NOTHING ? null : called.named(bound(gradient.reference())));
            }
        }
        for (RemoteValue output : called.outputs()) {
            program.session().abandon(output);
        }
        return answers;
    }

    // ---- what is known of it

    List<String> captured() {
        return inputs.stream()
                .filter(input -> input instanceof ProgramInput.Captured || input instanceof ProgramInput.GradientOf)
                .map(ProgramInput::label)
                .toList();
    }

    List<String> written() {
        return writes.stream().map(TracedWrite::label).toList();
    }

    int instructions() {
        return program.instructions();
    }

    /** Whether a call or a scan over these would be one of it. */
    boolean fits(ClientSession session, List<Tensor> given) {
        return fits(session, given, mode);
    }

    /** How the machine computed its latest run; inputs have the names that they have outside. */
    Explanation explain() {
        return program.session()
                .explain(program)
                .orElseThrow(
                        () -> new OutpostException(
                                FaultKind.USER,
                                "explain: the machine does not keep the program, others have taken its place; call it once more"))
                .renamed(inputNames());
    }

    /** A program knows its inputs by their place, from 1. A name that two of them have tells of neither. */
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

    void drop() {
        program.session().drop(program);
    }
}
