package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Rewrites one program into one for each member of a group, with exchanges if the placements need them. Each member computes what the
 * placements of its operands allow ({@link ShardingRules}). If there are several ways, it takes the one that moves the fewest bytes. A
 * program exchanges a value at most once for each placement. Used once, by one thread.
 */
public final class SpmdRewrite {
    private final Graph graph;
    private final int size;
    private final LongFunction<Sharding> uploads;
    private final MemberBuilders members;
    private final Reshards reshards;
    private final PlacedValues values;
    private final RuleRewrite rules;
    private final CreationRewrite creations;
    private final ViewRewrite views;
    private final UpdateRewrite updates;

    private SpmdRewrite(
            Graph graph,
            Map<Integer, SignalPlacement> signals,
            List<Sharding> inputs,
            int size,
            LongFunction<Sharding> uploads,
            Exchanges exchanges) {
        this.graph = graph;
        this.size = size;
        this.uploads = uploads;
        this.members = new MemberBuilders(size);
        this.reshards = new Reshards(members, exchanges);
        this.values = new PlacedValues(graph.valueCount());
        this.rules = new RuleRewrite(size, values, members, reshards, signals);
        this.creations = new CreationRewrite(size, values, members, reshards, signals, exchanges);
        this.views = new ViewRewrite(values, members, reshards, creations);
        this.updates = new UpdateRewrite(size, values, members, reshards);
        for (int input = 0; input < inputs.size(); input++) {
            values.put(
                    input, new ValuePlacements(graph.type(input), members.input(graph.type(input), inputs.get(input))));
        }
    }

    /**
     * Rewrites a program.
     *
     * @param signals the placement of each instruction that was recorded within a signal, by instruction
     * @param inputs the placements of the inputs
     * @param size the number of members of the group
     * @param uploads returns the placement of the data of an upload, by its number
     * @param exchanges numbers the exchanges
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

    /** Returns a program that sends a whole value to one member, as its output. */
    public static GroupProgram gather(TensorType type, Sharding sharding, int size, int rank, Exchanges exchanges) {
        Graph nothing = new GraphBuilder(type).build();
        SpmdRewrite rewrite =
                new SpmdRewrite(nothing, Map.of(), List.of(sharding), size, upload -> sharding, exchanges);
        ValuePlacements placements = rewrite.values.get(0);
        rewrite.reshards.begin("read", "");
        Sharding target = new Sharding(List.of(rank), Placement.REPLICATE);
        return rewrite.finish(List.of(rewrite.reshards.to(placements, target, false)), List.of(Optional.empty()));
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
            case AsStrided view -> views.view(instruction, view);
            case StridedWrite write -> views.write(instruction, write);
            case Upload upload -> upload(instruction, upload);
            case UpdateGuard guard -> updates.guard(instruction, guard);
            case UpdateCommit commit -> updates.commit(instruction, commit);
            case Collective collective ->
                throw new IllegalArgumentException("a program of a group has exchanges already: " + instruction);
            case Fill fill -> creations.make(instruction);
            case Arange range -> creations.make(instruction);
            case Random random -> creations.make(instruction);
            default -> {
                if (!creations.derive(instruction)) {
                    rules.compute(instruction);
                }
            }
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
        values.define(instruction, 0, new ShardedValue(sharding, results));
    }

    // ---- the end

    private GroupProgram finish() {
        int inputs = graph.structure().inputCount();
        List<ShardedValue> outputs = new ArrayList<>();
        for (int result = 0; result < graph.structure().resultCount(); result++) {
            if (graph.structure().isKept(result)) {
                outputs.add(values.get(inputs + result).main());
            }
        }
        List<Optional<ShardedValue>> rebound = new ArrayList<>();
        for (int input = 0; input < inputs; input++) {
            boolean stays =
                    graph.structure().isDying(input) || values.get(input).isAsAtFirst();
            rebound.add(stays ? Optional.empty() : Optional.of(values.get(input).main()));
        }
        return finish(outputs, rebound);
    }

    private GroupProgram finish(List<ShardedValue> outputs, List<Optional<ShardedValue>> rebound) {
        List<MemberProgram> programs = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            programs.add(program(rank, outputs, rebound));
        }
        return new GroupProgram(
                programs,
                outputs.stream().map(ShardedValue::sharding).toList(),
                rebound.stream().map(each -> each.map(ShardedValue::sharding)).toList(),
                reshards.exchanged());
    }

    private MemberProgram program(int rank, List<ShardedValue> outputs, List<Optional<ShardedValue>> rebound) {
        int[] inputs = new int[rebound.size()];
        int[] replaced = new int[rebound.size()];
        for (int input = 0; input < inputs.length; input++) {
            inputs[input] = values.get(input).first().localOrNone(rank);
            replaced[input] = rebound.get(input)
                    .map(shardedValue -> shardedValue.localOrNone(rank))
                    .orElse(MemberProgram.NONE);
            if (graph.structure().isDying(input)) {
                members.drop(rank, inputs[input]);
            }
        }
        int[] ofOutputs = outputs.stream()
                .mapToInt(shardedValue -> shardedValue.localOrNone(rank))
                .toArray();
        return new MemberProgram(members.build(rank, ofOutputs, replaced), inputs, ofOutputs, replaced);
    }

    static boolean accepts(Op op, TensorType[] operands) {
        try {
            op.infer(operands);
            return true;
        } catch (OpException ignored) {
            return false;
        }
    }

    /** Returns the numbers among an instruction's operands; null for the others. */
    static Scalar[] immediates(Instruction instruction) {
        Scalar[] numbers = new Scalar[instruction.operandCount()];
        for (int position = 0; position < numbers.length; position++) {
            numbers[position] =
                    instruction.operand(position) == Instruction.IMMEDIATE ? instruction.immediate(position) : null;
        }
        return numbers;
    }
}
