package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * One program → one for each member of a group, with exchanges where placements call for them. Every member computes what its
 * operands' placements allow ({@link ShardingRules}); of several ways the one is taken that moves the fewest bytes. What was
 * exchanged once in a program is not exchanged again. Used once, by one thread.
 */
public final class SpmdRewrite {
    private final Graph graph;
    private final int size;
    private final LongFunction<Sharding> uploads;
    private final MemberBuilders members;
    private final Reshards reshards;
    private final Versions[] values;
    private final Map<Integer, SignalPlacement> signals;

    private SpmdRewrite(
            Graph graph,
            Map<Integer, SignalPlacement> signals,
            List<Sharding> inputs,
            int size,
            LongFunction<Sharding> uploads,
            Exchanges exchanges) {
        this.graph = graph;
        this.signals = signals;
        this.size = size;
        this.uploads = uploads;
        this.members = new MemberBuilders(size);
        this.reshards = new Reshards(members, exchanges);
        this.values = new Versions[graph.valueCount()];
        for (int input = 0; input < inputs.size(); input++) {
            values[input] = new Versions(graph.type(input), members.input(graph.type(input), inputs.get(input)));
        }
    }

    /**
     * Rewrites a program.
     *
     * @param signals by instruction, where it is computed, if it was recorded within a signal
     * @param inputs how the inputs are placed
     * @param size how many members the group has
     * @param uploads how data that come under a number are placed
     * @param exchanges numbers the exchanges, and hears of them
     */
    public static GroupProgram rewrite(
            Graph graph,
            Map<Integer, SignalPlacement> signals,
            List<Sharding> inputs,
            int size,
            LongFunction<Sharding> uploads,
            Exchanges exchanges) {
        return new SpmdRewrite(graph, signals, inputs, size, uploads, exchanges).rewrite();
    }

    /** A program that brings all of one value to one member; that is its output. */
    public static GroupProgram gather(TensorType type, Sharding sharding, int size, int rank, Exchanges exchanges) {
        Graph nothing = new GraphBuilder(type).build();
        SpmdRewrite rewrite =
                new SpmdRewrite(nothing, Map.of(), List.of(sharding), size, upload -> sharding, exchanges);
        Versions value = rewrite.values[0];
        rewrite.reshards.begin("read", "");
        Sharding target = new Sharding(List.of(rank), Placement.REPLICATE);
        return rewrite.finish(List.of(rewrite.reshards.to(value, target, false)), List.of(Optional.empty()));
    }

    private GroupProgram rewrite() {
        for (Instruction instruction : graph.instructions()) {
            String line = graph.source(instruction.index());
            members.at(line);
            reshards.begin(instruction.op().label(), line);
            step(instruction);
        }
        return finish();
    }

    private void step(Instruction instruction) {
        switch (instruction.op()) {
            case AsStrided view -> view(instruction, view);
            case StridedWrite write -> write(instruction, write);
            case Upload upload -> upload(instruction, upload);
            case UpdateGuard guard -> guard(instruction, guard);
            case UpdateCommit commit -> commit(instruction, commit);
            case Collective collective ->
                throw new IllegalArgumentException("a program of a group has exchanges already: " + instruction);
            default -> compute(instruction);
        }
    }

    // ---- by rules

    private void compute(Instruction instruction) {
        SignalPlacement signal = signals.get(instruction.index());
        if (signal == null) {
            compute(instruction, operands(instruction), workersOf(instruction));
        } else if (signal.how() == SignalPlacement.How.COPY && instruction.op() == Unary.COPY) {
            place(instruction, signal);
        } else {
            compute(instruction, brought(instruction, signal), signal.workers());
        }
    }

    /** Operands as a signal has them: on its workers, whole or cut as they were. */
    private Versions[] brought(Instruction instruction, SignalPlacement signal) {
        Versions[] operands = operands(instruction);
        for (int position = 0; position < operands.length; position++) {
            Versions operand = operands[position];
            if (operand == null) {
                continue;
            }
            Sharding has = operand.main().sharding();
            if (signal.mesh().isPresent()) {
                operands[position] = onMesh(operand, signal);
                continue;
            }
            Sharding target = new Sharding(signal.workers(), Placement.REPLICATE);
            boolean isMoved = signal.how() == SignalPlacement.How.WHOLE;
            if (!isMoved && has.placement() instanceof Placement.Shard(Split split)) {
                isMoved = !has.workers().equals(signal.workers());
                target = Sharding.even(signal.workers(), operand.type().shape(), split.dim());
            }
            if (isMoved) {
                // Without what it was on the way, so that it stays cut.
                operands[position] = new Versions(operand.type(), reshards.to(operand, target, false));
            }
        }
        return operands;
    }

    /** A value on the mesh, or a whole one, stays as it is; one that is cut otherwise is placed as data. */
    private Versions onMesh(Versions operand, SignalPlacement signal) {
        Sharding has = operand.main().sharding();
        boolean isOtherwise = switch (has.placement()) {
            case Placement.Replicate whole -> false;
            case Placement.OnMesh grid ->
                !grid.mesh().equals(signal.mesh().orElseThrow().mesh());
            case Placement.Shard shard -> true;
            case Placement.Partial due -> true;
        };
        return isOtherwise
                ? new Versions(
                        operand.type(),
                        reshards.to(operand, signal.ofData(operand.type().shape()), false))
                : operand;
    }

    private void place(Instruction instruction, SignalPlacement signal) {
        Versions operand = values[instruction.operand(0)];
        Version placed = reshards.to(operand, signal.ofData(operand.type().shape()), false);
        int[] results = members.none();
        for (int rank : placed.sharding().workers()) {
            results[rank] =
                    members.add(rank, instruction, instruction.op(), placed).result(0);
        }
        define(instruction, 0, new Version(placed.sharding(), results));
    }

    private void compute(Instruction instruction, Versions[] given, List<Integer> workers) {
        Way choice = way(instruction, given, workers);
        Version[] operands = new Version[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            if (instruction.operand(position) != Instruction.IMMEDIATE) {
                operands[position] = reshards.to(given[position], choice.operand(position), choice.isFallback());
            }
        }
        int[][] results = members.none(instruction.resultCount());
        for (int rank : workers) {
            Instruction own = members.add(rank, instruction, instruction.op(), operands);
            for (int position = 0; position < results.length; position++) {
                results[position][rank] = own.result(position);
            }
        }
        for (int position = 0; position < results.length; position++) {
            define(instruction, position, new Version(choice.result(position), results[position]));
        }
    }

    /** On a mesh where an operand is on one of these workers; else among them all. */
    private static Way way(Instruction instruction, Versions[] given, List<Integer> workers) {
        for (Versions operand : given) {
            boolean isOnMesh = operand != null
                    && operand.main().sharding().workers().equals(workers)
                    && operand.main().sharding().placement() instanceof Placement.OnMesh;
            if (isOnMesh) {
                Placement.OnMesh grid =
                        (Placement.OnMesh) operand.main().sharding().placement();
                return MeshWay.of(instruction, given, grid.mesh());
            }
        }
        return Choice.of(instruction, given, workers);
    }

    private Versions[] operands(Instruction instruction) {
        Versions[] operands = new Versions[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            int value = instruction.operand(position);
            operands[position] = value == Instruction.IMMEDIATE ? null : values[value];
        }
        return operands;
    }

    private void define(Instruction instruction, int position, Version version) {
        values[instruction.result(position)] = new Versions(instruction.resultType(position), version);
    }

    /** Those that have the operands; where these are on several, those to which the fewest bytes move. */
    private List<Integer> workersOf(Instruction instruction) {
        List<List<Integer>> candidates = Arrays.stream(operands(instruction))
                .filter(operand -> operand != null)
                .map(operand -> operand.main().sharding().workers())
                .distinct()
                .toList();
        if (candidates.isEmpty()) {
            return IntStream.range(0, size).boxed().toList();
        }
        List<Integer> best = candidates.getFirst();
        long least = Long.MAX_VALUE;
        for (List<Integer> workers : candidates) {
            long bytes = 0;
            for (Versions operand : operands(instruction)) {
                bytes += operand == null ? 0 : operand.bytesToReach(workers);
            }
            boolean isNarrower = bytes == least && workers.size() < best.size();
            if (bytes < least || isNarrower) {
                best = workers;
                least = bytes;
            }
        }
        return best;
    }

    // ---- views, and writes through them

    private void view(Instruction instruction, AsStrided op) {
        Versions base = values[instruction.operand(0)];
        Version version = base.main();
        Optional<PartView> view =
                PartView.of(base.type().shape(), version.sharding().placement(), op.layout());
        if (view.isPresent()) {
            Sharding sharding = version.sharding().with(view.get().placement());
            define(
                    instruction,
                    0,
                    views(instruction, version, sharding, view.get().layouts()));
            return;
        }
        if (PartView.isCut(version.sharding().placement())) {
            version = reshards.to(base, version.sharding().with(Placement.REPLICATE), true);
        }
        List<Layout> same =
                version.sharding().workers().stream().map(rank -> op.layout()).toList();
        define(instruction, 0, views(instruction, version, version.sharding(), same));
    }

    private Version views(Instruction instruction, Version base, Sharding sharding, List<Layout> layouts) {
        int[] results = members.none();
        for (int member = 0; member < layouts.size(); member++) {
            int rank = sharding.workers().get(member);
            results[rank] = members.add(rank, instruction, new AsStrided(layouts.get(member)), base)
                    .result(0);
        }
        return new Version(sharding, results);
    }

    private void write(Instruction instruction, StridedWrite op) {
        Versions base = values[instruction.operand(0)];
        Versions source = values[instruction.operand(1)];
        Version target = base.main();
        if (target.sharding().isDue()) {
            target = reshards.to(base, target.sharding().summed(), true);
        }
        Sharding placed = target.sharding();
        List<Layout> layouts =
                target.sharding().workers().stream().map(rank -> op.layout()).toList();
        Sharding ofSource = target.sharding().with(Placement.REPLICATE);
        Optional<PartView> view =
                PartView.of(base.type().shape(), target.sharding().placement(), op.layout());
        if (view.isPresent()) {
            layouts = view.get().layouts();
            ofSource = target.sharding().with(view.get().placement());
        } else if (!target.sharding().isReplicated()) {
            target = reshards.to(base, target.sharding().with(Placement.REPLICATE), true);
        }
        Version written = reshards.to(source, ofSource, view.isEmpty());
        int[] results = members.none();
        for (int member = 0; member < layouts.size(); member++) {
            int rank = ofSource.workers().get(member);
            results[rank] = members.add(rank, instruction, new StridedWrite(layouts.get(member)), target, written)
                    .result(0);
        }
        define(instruction, 0, new Version(target.sharding(), results), placed);
    }

    /** A value that was computed whole for want of a rule, and is placed as it was before. */
    private void define(Instruction instruction, int position, Version version, Sharding placed) {
        define(instruction, position, version);
        Versions whole = values[instruction.result(position)];
        Version part = reshards.to(whole, placed, false);
        if (part != version) {
            values[instruction.result(position)] = new Versions(whole.type(), part);
            values[instruction.result(position)].add(version);
        }
    }

    // ---- data from outside

    private void upload(Instruction instruction, Upload op) {
        Sharding sharding = uploads.apply(op.upload());
        int[] results = members.none();
        for (int rank : sharding.workers()) {
            TensorType part =
                    new TensorType(op.type().dtype(), sharding.partOf(op.type().shape(), rank));
            results[rank] = members.add(rank, instruction, new Upload(part, op.upload()))
                    .result(0);
        }
        define(instruction, 0, new Version(sharding, results));
    }

    // ---- updates

    /**
     * Each member guards what it has. Sums that are due are taken before: an update of a term would be none of the sum. They are taken in
     * the order in which their terms are computed, so that the first ones travel while the members compute the others. A gradient of a
     * parameter that is cut is cut as that is, and only so outlives the program: a member then has its part of it, and of the state that is
     * computed from it.
     */
    private void guard(Instruction instruction, UpdateGuard op) {
        int operands = instruction.operandCount();
        Version[] given = new Version[operands];
        int[] asComputed = IntStream.range(0, operands)
                .boxed()
                .sorted(Comparator.comparingInt(instruction::operand))
                .mapToInt(position -> position)
                .toArray();
        for (int position : asComputed) {
            Versions operand = values[instruction.operand(position)];
            Sharding has = operand.main().sharding();
            Sharding target = ofSum(instruction, op, position);
            if (has.isDue() || PartView.isCut(target.placement())) {
                operand.settle(reshards.to(operand, target, false));
            }
            given[position] = operand.main();
        }
        int[][] results = members.none(instruction.resultCount());
        for (int rank = 0; rank < size; rank++) {
            guardOn(rank, instruction, op, given, results);
        }
        for (int position = 0; position < results.length; position++) {
            int operand = position < operands ? position : op.gradients() + position - operands;
            define(instruction, position, new Version(given[operand].sharding(), results[position]));
        }
    }

    /** A gradient goes where its parameter is: of that each member may have a part only. */
    private Sharding ofSum(Instruction instruction, UpdateGuard op, int position) {
        Sharding has = values[instruction.operand(position)].main().sharding();
        int state = op.gradients() + position;
        if (position < op.gradients() && state < instruction.operandCount()) {
            Versions parameter = values[instruction.operand(state)];
            Sharding ofParameter = parameter.main().sharding();
            boolean belongsThere = ofParameter.workers().equals(has.workers())
                    && !ofParameter.isDue()
                    && parameter.type().equals(values[instruction.operand(position)].type());
            if (belongsThere) {
                return ofParameter;
            }
        }
        return has.summed();
    }

    private void guardOn(int rank, Instruction instruction, UpdateGuard op, Version[] given, int[][] results) {
        int[] own = IntStream.range(0, given.length)
                .filter(position -> given[position].isOn(rank))
                .toArray();
        int gradients = (int)
                Arrays.stream(own).filter(position -> position < op.gradients()).count();
        if (own.length == gradients) {
            // No state is here, so there is nothing to guard.
            for (int position : own) {
                results[position][rank] = given[position].local(rank);
            }
            return;
        }
        int[] operands =
                Arrays.stream(own).map(position -> given[position].local(rank)).toArray();
        Instruction guarded = members.add(rank, new UpdateGuard(gradients, op.update()), operands);
        for (int place = 0; place < own.length; place++) {
            results[own[place]][rank] = guarded.result(place);
            if (place >= gradients) {
                int kept = given.length + own[place] - op.gradients();
                results[kept][rank] = guarded.result(own.length + place - gradients);
            }
        }
    }

    private void commit(Instruction instruction, UpdateCommit op) {
        int states = instruction.resultCount();
        Version[] kept = new Version[states];
        Version[] changed = new Version[states];
        for (int state = 0; state < states; state++) {
            Versions before = values[instruction.operand(state)];
            Versions after = values[instruction.operand(states + state)];
            Sharding target = before.main().sharding();
            boolean isCut = PartView.isCut(after.main().sharding().placement())
                    && !after.main().sharding().isDue();
            if (target.isReplicated() && isCut) {
                // A state that began as zeros everywhere, such as a moment, is from now on where its parameter is.
                target = after.main().sharding();
            }
            kept[state] = reshards.to(before, target, false);
            changed[state] = reshards.to(after, target, false);
        }
        int[][] results = members.none(states);
        for (int rank = 0; rank < size; rank++) {
            int member = rank;
            int[] own = IntStream.range(0, states)
                    .filter(state -> kept[state].isOn(member))
                    .toArray();
            if (own.length == 0) {
                continue;
            }
            int[] operands = new int[2 * own.length];
            for (int place = 0; place < own.length; place++) {
                operands[place] = kept[own[place]].local(rank);
                operands[own.length + place] = changed[own[place]].local(rank);
            }
            Instruction committed = members.add(rank, op, operands);
            for (int place = 0; place < own.length; place++) {
                boolean isInPlace = own[place] - own[0] == place;
                results[own[place]][rank] = isInPlace
                        ? committed.result(place)
                        : renamed(rank, committed.result(place), committed.resultType(place));
            }
        }
        for (int state = 0; state < states; state++) {
            define(instruction, state, new Version(kept[state].sharding(), results[state]));
        }
    }

    /** All of a value as one of its own: names of an instruction's results follow each other, and a member may lack states in between. */
    private int renamed(int rank, int local, TensorType type) {
        return members.add(rank, new AsStrided(Layout.contiguous(type.shape())), local)
                .result(0);
    }

    // ---- the end

    private GroupProgram finish() {
        int inputs = graph.structure().inputCount();
        List<Version> outputs = new ArrayList<>();
        for (int result = 0; result < graph.structure().resultCount(); result++) {
            if (graph.structure().isKept(result)) {
                outputs.add(values[inputs + result].main());
            }
        }
        List<Optional<Version>> rebound = new ArrayList<>();
        for (int input = 0; input < inputs; input++) {
            boolean stays = graph.structure().isDying(input) || values[input].isAsAtFirst();
            rebound.add(stays ? Optional.empty() : Optional.of(values[input].main()));
        }
        return finish(outputs, rebound);
    }

    private GroupProgram finish(List<Version> outputs, List<Optional<Version>> rebound) {
        List<MemberProgram> programs = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            programs.add(program(rank, outputs, rebound));
        }
        return new GroupProgram(
                programs,
                outputs.stream().map(Version::sharding).toList(),
                rebound.stream().map(each -> each.map(Version::sharding)).toList(),
                reshards.exchanged());
    }

    private MemberProgram program(int rank, List<Version> outputs, List<Optional<Version>> rebound) {
        int[] inputs = new int[rebound.size()];
        int[] replaced = new int[rebound.size()];
        for (int input = 0; input < inputs.length; input++) {
            inputs[input] = values[input].first().localOrNone(rank);
            replaced[input] =
                    rebound.get(input).map(version -> version.localOrNone(rank)).orElse(MemberProgram.NONE);
            if (graph.structure().isDying(input)) {
                members.drop(rank, inputs[input]);
            }
        }
        int[] ofOutputs =
                outputs.stream().mapToInt(version -> version.localOrNone(rank)).toArray();
        return new MemberProgram(members.build(rank, ofOutputs, replaced), inputs, ofOutputs, replaced);
    }

    /** Whether an op takes operands of these types. */
    static boolean accepts(Op op, TensorType[] operands) {
        try {
            op.infer(operands);
            return true;
        } catch (OpException refused) {
            return false;
        }
    }

    /** The numbers among an instruction's operands, null for the others. */
    static Scalar[] immediates(Instruction instruction) {
        Scalar[] numbers = new Scalar[instruction.operandCount()];
        for (int position = 0; position < numbers.length; position++) {
            numbers[position] =
                    instruction.operand(position) == Instruction.IMMEDIATE ? instruction.immediate(position) : null;
        }
        return numbers;
    }
}
